from .composing import compose as compose
