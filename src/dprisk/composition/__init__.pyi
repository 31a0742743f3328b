from .basis import basis_of as basis_of, contradicted as contradicted
from .composing import compose as compose
from .opinion import check as check
