from .opening import open_store as open_store
from .opening import grant_appending as grant_appending
from .store import Store as Store
from .store import Writing as Writing
