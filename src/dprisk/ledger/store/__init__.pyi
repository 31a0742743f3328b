from .opening import open_store as open_store
from .guarding import grant_appending as grant_appending
from .store import Store as Store
from .transactions import Writing as Writing
