"""Copies: checkpoints, receipts and backups, kept elsewhere and held against a ledger.

Which file to open: `verifying`, checkpoints and exports, and all of a ledger computed again;
`receipts`, notes on single charges; `backups`, copies of all of it; `signing`, keys.
"""
