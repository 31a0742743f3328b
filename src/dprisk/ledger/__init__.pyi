from .accounts import Account as Account
from .book import Ledger as Ledger
from .planning import plan_by_rule as plan_by_rule
from .requests import ChargeRequest as ChargeRequest
from .status import json_schema as json_schema
