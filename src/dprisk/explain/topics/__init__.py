"""One function a topic: a case in, sentences out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dprisk.explain.case import Case
from dprisk.explain.topics.beliefs import any_reader, beliefs, with_without
from dprisk.explain.topics.caveats import assumptions, computed, not_covered, silent, worst_case
from dprisk.explain.topics.going_on import limits, tests, time
from dprisk.explain.topics.promise import delta, exceptions, guarantee
from dprisk.explain.values import Sentence

__all__ = ["TOPICS"]

TOPICS: dict[str, Callable[[Case], Iterator[Sentence]]] = {
    "any-reader": any_reader,
    "assumptions": assumptions,
    "beliefs": beliefs,
    "computed": computed,
    "delta": delta,
    "exceptions": exceptions,
    "guarantee": guarantee,
    "limits": limits,
    "not-covered": not_covered,
    "silent": silent,
    "tests": tests,
    "time": time,
    "with-without": with_without,
    "worst-case": worst_case,
}
