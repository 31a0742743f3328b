"""Allocations: what is wrong with a table or a concern, and how prints compare."""

from __future__ import annotations

from typing import Final

TABLES: Final[dict[str, str]] = {
    "allocation.same": "The query '{query}'{at} is also in {row}.",
    "allocation.same.fix": "Remove one, or give them different names.",
    "allocation.at": " at {level}",
    "allocation.no-rows": "The table has no rows.",
    "allocation.no-rows.fix": "Write one for each query.",
    "allocation.all-zero": "Every {column} is 0.",
    "allocation.all-zero.fix": "Then nothing is published.",
    "allocation.column.unknown": "The column '{column}' is unknown.",
    "allocation.column.twice": "The column '{column}' occurs twice.",
    "allocation.column.twice.fix": "Remove one of them.",
    "allocation.column.query": "There is no column 'query'.",
    "allocation.column.query.fix": "Give each query a name.",
    "allocation.column.none": "There is no column of amounts.",
    "allocation.column.several": "The table has the columns {columns}.",
    "allocation.column.one": "Give one of rho, epsilon, mu, or share (of an amount that is "
    "declared).",
    "allocation.shares-of-nothing": "The table gives shares, but no amount to share out is "
    "declared.",
    "allocation.shares-of-nothing.fix": "Declare the amount.",
    "allocation.both": "The table gives {column}, and an amount to share out is declared as well.",
    "allocation.both.fix": "Leave one of them out.",
    "allocation.accounting": "The table gives {column}, but the accounting is {kind}.",
    "allocation.accounting.fix": "Accounting by {kind} needs {name}.",
    "allocation.column-shares": "The column 'share' does not add up to 1{where}",
    "allocation.level-shares": "The shares of the levels{where} do not add up to 1",
    "allocation.not-one": "{what}: the sum is {total}, {off} {side}.",
    "allocation.not-one.fix": "Correct the shares. A query without noise has share 0.",
    "allocation.too-much": "too much",
    "allocation.too-little": "too little",
    "allocation.no-name": "The query has no name.",
    "allocation.no-name.fix": "Fill in the column 'query'.",
    "allocation.unknown.attribute": "The attribute '{word}' is unknown.",
    "allocation.unknown.level": "The level '{word}' is unknown.",
    "allocation.unknown.part": "The part '{word}' is unknown.",
    "allocation.level.none": "The level is missing.",
    "allocation.level.undeclared": "The level '{level}' is not declared.",
    "allocation.level.undeclared.fix": "Declare the levels, the outermost first.",
    "allocation.whole": "{column} must be a whole number in [1, 10^9], got {value}.",
    "allocation.moves": "The table does not say how many cells a changed record affects.",
    "allocation.moves.fix": "Set moves to 2 for a table of counts, where a record leaves one cell "
    "and enters another. Set it to 1 for a single number.",
    "allocation.number": "{column} must be a number in [0, {largest}], {got}.",
    "allocation.too-small": "{column} must be 0 or at least 1e-100, got {value}.",
    "allocation.too-small.fix": "A smaller number cannot be told from 0.",
}

FILES: Final[dict[str, str]] = {
    "allocation.format": "The file has format {format}.",
    "allocation.format.fix": "This version of dprisk reads format 1.",
    "allocation.neighbors": "An allocation is about replace-one neighbors: a record whose values "
    "change.",
    "allocation.neighbors.fix": "Compute the amounts for replace-one neighbors.",
    "allocation.names": "It must be a list of names.",
    "allocation.names.fix": "Such as [county, tract].",
    "allocation.amount": "It must be a number in [0, 10^6], got {value}.",
    "allocation.amount.fix": "Write it as 2.56 or 52/4097.",
    "allocation.printed": "The printed sum is missing.",
    "allocation.printed.fix": 'Write it as rho: "0.945".',
    "allocation.ending": "Its name does not end in one of {endings}.",
    "allocation.ending.fix": "Save it in one of these formats, or ask for census2020, which comes "
    "with dprisk.",
    "allocation.values": "It has {found} values, and the first line {columns} columns.",
    "allocation.values.fix": "Quote values that contain a comma.",
    "allocation.no-parquet": "No library that reads Parquet is installed.",
    "allocation.no-parquet.fix": "Install one of {readers}, or save the table as CSV.",
}

CONCERNS: Final[dict[str, str]] = {
    "allocation.levels": "The levels are {levels}.",
    "allocation.attribute": "an attribute ({names})",
    "allocation.within": "Say within what: '{inner} within {outer}'.",
    "allocation.says.sum": "printed {printed}, but the table adds up to {rho}",
}

TEXTS: Final[dict[str, str]] = TABLES | FILES | CONCERNS
