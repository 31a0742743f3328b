"""Bad days for a ledger: killed writers and servers, full disks, cut lines, flipped bytes.

Each part leaves a trail of what was acknowledged and holds the ledger against it. Run it with
``make torture MINUTES=30``; CONTRIBUTING.md says more.
"""
