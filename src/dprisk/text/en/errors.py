"""Errors: the forms of all of them."""

from __future__ import annotations

from typing import Final

MUST: Final[dict[str, str]] = {
    "errors.memory": "There is not enough memory. Ask for less at once, or use a larger machine.",
    "errors.nothing-given": "but nothing was given",
    "errors.got": "got {value}",
    "errors.must-be": "{name} must be {allowed}, {got}.",
    "errors.not-converged": "The search for {what} stopped early. The answer lies in [{low}, "
    "{high}].",
    "errors.lies-in": "lies in [{low}, {high}], which is",
    "errors.too-wide": "{what} {known} wider than accuracy={accuracy} allows. {why} {fix}",
    "errors.not-written": "{path}: It could not be written: {reason}. Nothing was changed. Make "
    "room, or choose another place.",
    "errors.ledger.unknown": "It is not known whether the entry was recorded. Send it again with "
    "the same key: nothing is counted twice.",
    "errors.ledger.damaged": "Nothing was changed. See all that is wrong with dprisk ledger "
    "verify, and put a backup back with dprisk ledger restore.",
    "errors.ledger.damaged.file": "Nothing was changed. Backups, exports and receipts of before "
    "stay right: put a backup back with dprisk ledger restore.",
    "errors.share": "It is a probability.",
    "errors.number": "a number in {left}{low}, {high}{right}",
    "errors.percent": "{advice} Did you mean {share}?",
    "errors.never-negative": "It cannot be negative.",
    "errors.limited": "A larger number promises nothing.",
    "errors.always-positive": "It must be above 0.",
    "errors.order": "A Rényi order lies above 1, such as 2.",
    "errors.did-you-mean": "Did you mean {choice}?",
    "errors.as-a-number": "Give a number.",
    "errors.one-number": "Give one number, not an array.",
    "errors.one-of": "one of {choices}",
    "errors.or": "{first} or {last}",
    "errors.typed": "{typed}: the value must be {allowed}.",
    "errors.missing": "{option} is missing: it must be {allowed}.",
}

FORMS: Final[dict[str, str]] = {
    "errors.such-as": "Such as {example}.",
    "errors.whole": "a whole number in [{least}, {most}]",
    "errors.whole-from": "a whole number from {least} on",
    "errors.rational": "a rational number in {inside}",
    "errors.rising": "a rising list of at least {least}",
    "errors.promise": "a Guarantee, a Mechanism or a Release",
    "errors.release.no-parts": "a release with at least one part",
    "errors.release.no-parts.fix": "{name} gives no number that could be composed.",
    "errors.neighbors": "{name} needs its neighbors, because its numbers mean different things "
    'under each kind. Write {call}"add-remove") if one dataset has one more '
    'record than the other, or {call}"replace-one") if one record has a '
    "different value. If you know only the tool, see docs/neighbors.md: Which neighbors and δ does "
    "my tool mean?",
    "errors.search.root": "a root",
    "errors.search.safe-side": "a bound that holds",
}

PLACES: Final[dict[str, str]] = {
    "errors.file.address": "This is an address, not a file.",
    "errors.file.address.fix": "Save the file first; dprisk does not download it.",
    "errors.file.folder": "It is a folder.",
    "errors.file.folder.fix": "Name the files in it, one by one.",
    "errors.file.not-regular": "It is not a regular file.",
    "errors.file.not-regular.fix": "Save it as a file first.",
    "errors.file.not-utf": "It is not UTF-8 text.",
    "errors.file.not-utf.fix": "Save it as UTF-8.",
    "errors.file.csv": "This is not a valid CSV file: {error}.",
    "errors.file.csv.fix": "Check the quotes.",
    "errors.file.semicolons": "Its cells are separated by semicolons, not by commas.",
    "errors.file.tabs": "Its cells are separated by tabs, not by commas.",
    "errors.file.commas": "Save it as CSV with commas between cells and decimal points.",
    "errors.file.too-large": "It is larger than {most} MB, which is too large for a file of this "
    "kind.",
    "errors.file.too-large.fix": "Check that it is the right file.",
    "errors.file.none": "There is no such file.",
    "errors.file.none.fix": "Check the spelling.",
    "errors.file.not-allowed": "You do not have permission to read it.",
    "errors.file.not-allowed.fix": "Ask its owner, or name another file.",
    "errors.file.not-read": "It cannot be read: {reason}.",
    "errors.file.not-read.fix": "Check the path.",
    "errors.place.failed": "It cannot be written ({reason}).",
    "errors.place.failed.fix": "Choose another place.",
    "errors.place.link": "It is a symbolic link, and dprisk does not write through links.",
    "errors.place.link.fix": "Name the file itself, or choose another place.",
    "errors.place.folder": "It is a folder.",
    "errors.place.folder.fix": "Name a file in it.",
    "errors.place.not-regular": "It is not a regular file.",
    "errors.place.not-regular.fix": "Choose another place.",
    "errors.place.input": "The same command reads this file, and would overwrite it.",
    "errors.place.input.fix": "Choose another place.",
    "errors.place.exists": "The file exists.",
    "errors.place.exists.fix": "Use --force to replace it (in Python: force=True).",
    "errors.place.protected": "The file is write-protected.",
    "errors.place.protected.fix": "Choose another place.",
    "errors.place.no-folder": "There is no folder {folder} to write to.",
    "errors.place.no-folder.fix": "Make it first, or choose another folder.",
    "errors.place.not-folder": "Nothing can be written there: {folder} is not a folder.",
    "errors.place.not-folder.fix": "Choose another folder.",
    "errors.place.closed": "The folder {folder} is write-protected.",
    "errors.place.closed.fix": "Choose another folder.",
}

LOSSES: Final[dict[str, str]] = {
    "errors.pairs": "at least one, with a count for each",
    "errors.one-sided": "at most {most} under replace-one, where each may have either direction",
    "errors.one-sided.fix": "Compose them under add-remove, or in groups of promises.",
    "errors.one-sided.found": "{count} that differ by direction",
    "errors.dominates": "This privacy loss dominates the loss of the mechanism and says nothing "
    "about the raw output: merging outputs can raise a tail.",
    "errors.dominates.fix": "Ask with post_processing=True, which holds for the raw output as "
    "well, "
    "or compose the mechanisms' own losses.",
    "errors.accuracy.width": "It is the width of a bracket in nats of epsilon.",
    "errors.accuracy.bytes": "It is in bytes, such as 4e9 for about 4 GB.",
    "errors.accuracy.flat": "delta hardly changes with epsilon there, so its last digits decide.",
    "errors.accuracy.cut": "Tails of a probability of {cut} are cut off, and count as revealed.",
    "errors.accuracy.cut.fix": "Leave accuracy out, or ask where delta is larger.",
    "errors.accuracy.blur": "After this many compositions, the privacy loss is known only to "
    "within {blur} nats, because probabilities are computed to 13 digits.",
    "errors.accuracy.rounding": "A finer grid hardly helps: what is left is rounding, or single "
    "losses of large probability that lie between two points of every grid.",
    "errors.accuracy.finest": "The grid is as fine as it can be.",
    "errors.accuracy.memory": "A grid that is fine enough takes more than memory={memory} bytes.",
    "errors.accuracy.ask": "Ask for accuracy={wider} or wider.",
    "errors.accuracy.ask.or-memory": "Ask for accuracy={wider} or wider, or give it "
    "memory={enough}.",
    "errors.accuracy.leave-out": "Leave accuracy out.",
    "errors.accuracy.leave-out.or-memory": "Leave accuracy out, or give it memory={enough}.",
}

TEXTS: Final[dict[str, str]] = MUST | FORMS | PLACES | LOSSES
