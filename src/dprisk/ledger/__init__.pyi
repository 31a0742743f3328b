from .accounts import Account as Account
from .book import Ledger as Ledger
from .planning import plan_by_rule as plan_by_rule
from .charges import ChargeRequest as ChargeRequest
from .state import json_schema as json_schema
