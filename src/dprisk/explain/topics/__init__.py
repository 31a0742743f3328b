"""One function a topic: a case in, sentences out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dprisk.explain.case import Case
from dprisk.explain.explanation import Sentence
from dprisk.explain.topics.beliefs import any_reader, beliefs, value, with_without
from dprisk.explain.topics.caveats import (
    assumptions,
    computed,
    not_covered,
    notes,
    silent,
    worst_case,
)
from dprisk.explain.topics.going_on import limits, tests, time
from dprisk.explain.topics.promise import delta, exceptions, experts, guarantee

__all__ = ["TOPICS"]

TOPICS: dict[str, Callable[[Case], Iterator[Sentence]]] = {
    "any-reader": any_reader,
    "assumptions": assumptions,
    "beliefs": beliefs,
    "computed": computed,
    "delta": delta,
    "exceptions": exceptions,
    "experts": experts,
    "guarantee": guarantee,
    "limits": limits,
    "not-covered": not_covered,
    "notes": notes,
    "silent": silent,
    "tests": tests,
    "time": time,
    "value": value,
    "with-without": with_without,
    "worst-case": worst_case,
}
