from .accounts import Account as Account
from .copies.backups import back_up as back_up, restore as restore
from .book import Ledger as Ledger
from .planning import plan_by_rule as plan_by_rule
from .charges import ChargeRequest as ChargeRequest
from .copies.receipts import check_receipts as check_receipts, give_receipt as give_receipt
from .copies.signing import make_key as make_key
from .words import json_schema as json_schema
