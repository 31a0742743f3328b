from .questions import ask as ask
