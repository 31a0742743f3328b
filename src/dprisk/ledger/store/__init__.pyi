from .opening import opened as opened
from .roles import grant_appending as grant_appending
from .store import Store as Store
from .transactions import Writing as Writing
