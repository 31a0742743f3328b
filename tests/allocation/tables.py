"""Small tables for the tests of allocations."""

from __future__ import annotations

from dprisk.allocation import allocate

NESTED = ("region", "town")
ROWS = (
    {"query": "residents", "attributes": "", "level": "region", "rho": "1/50"},
    {"query": "residents", "attributes": "", "level": "town", "rho": "1/20"},
    {"query": "income", "attributes": "income", "level": "region", "rho": "0.03"},
    {"query": "income by sex", "attributes": "income * sex", "level": "town", "rho": "0.1"},
    {"query": "sex", "attributes": "sex", "level": "town", "rho": "0"},
)
CSV = """\
query,attributes,level,cells,rho
residents,,region,1,1/50
residents,,town,1,1/20
income,income,region,5,0.03
income by sex,income * sex,town,10,0.1
sex,sex,town,2,0
"""
DESCRIPTION = """\
allocation: 1
name: Town survey
accounting: zcdp
noise: discrete-gaussian
moves: 2
levels: [region, town]
parts:
  people: {amount: 0.5, levels: {region: 1/4, town: 3/4}}
  homes: {amount: 1/10}
attributes: [income, sex, rooms]
names: {pay: income, gender: [sex], rooms at home: rooms}
table:
  - {part: people, query: residents, level: region, share: 2/3}
  - {part: people, query: income, attributes: income, level: region, share: 1/3}
  - {part: people, query: income by sex, attributes: income * sex, level: town, share: 1}
  - {part: homes, query: rooms, attributes: rooms, level: region, share: 0.5}
  - {part: homes, query: rooms, attributes: rooms, level: town, share: 0.5}
scenarios:
  - {name: S, concerns: [pay, town within region], printed: {rho: "0.5417"}}
source: [Town council]
"""


def town(noise="discrete-gaussian", **options):
    """The table of `ROWS`."""
    return allocate(
        ROWS, **{"name": "town", "levels": NESTED, "moves": 2, "noise": noise} | options
    )


def single(column, *amounts, noise=None, moves=2, **more):
    """A table without levels: one query for each amount."""
    rows = [{"query": f"q{n}", "attributes": "a", column: x} for n, x in enumerate(amounts)]
    return allocate(rows, noise=noise, moves=moves, **more)
