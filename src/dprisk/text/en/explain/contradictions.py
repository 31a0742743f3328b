"""What a release cannot keep, what its numbers rest on, and what they leave aside."""

from __future__ import annotations

from typing import Final

CONTRADICTIONS: Final = {
    "contradicted": "This release cannot keep its stated {promise}: {why} The statement is not "
    "used below.",
    "contradicted.of": "“{release}” cannot keep its stated {promise}: {why} The statement is not "
    "used here.",
    "contradicted.said": "{said}",
    "contradicted.plain": "One published statement about these results cannot be true (for "
    "experts: {promise}). These results protect you less than that statement says. Nothing here "
    "rests on it.",
    "contradicted.epsilon": "at δ = {at}, what was run gives at least ε = {certified}; {claimed} "
    "was stated.",
    "contradicted.epsilon.curve": "at δ = {at}, what was run gives at least ε = {certified}; the "
    "statement allows {claimed}.",
    "contradicted.endless": "at δ = {at}, what was run keeps no finite ε; {claimed} was stated.",
    "contradicted.endless.curve": "at δ = {at}, what was run keeps no finite ε; the statement "
    "allows {claimed}.",
    "contradicted.delta": "at ε = {at}, what was run gives at least δ = {certified}; {claimed} was "
    "stated.",
    "contradicted.divergence": "at order {at}, the Rényi divergence of what was run is at least "
    "{certified}; the statement allows {claimed}.",
    "contradicted.rho": "what was run gives at least ρ = {certified}; {claimed} was stated.",
    "contradicted.tail": "the privacy loss of what was run exceeds ε = {at} with probability at "
    "least {certified}; {claimed} was stated.",
    "rests.run": "This limit rests on what was run. It does not use {also}, which may also hold.",
    "rests.parts": "This limit rests on {used}. It does not use {also}, which may also hold.",
    "rests.statement": "This limit rests on the statement {used}. It does not use {also}, which "
    "may also hold.",
    "rests.each": "Each limit rests on {used} or on {also}, whichever says more there.",
    "rests.exact": "This limit does not cover what is published exactly: {exact}.",
}
