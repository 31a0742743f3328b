"""What descriptions of releases are refused for, and what a reader of one has to know."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    # what is wrong with a file, and what to do
    "releases.correct": "Correct the value.",
    "releases.must-be": "{name} must be {allowed}, got {got}.",
    "releases.files.document": "document {number}",
    "releases.files.empty-list": "The list is empty.",
    "releases.files.empty-list.fix": "Describe a release in it.",
    "releases.files.item": "item {number}",
    "releases.files.no-keys": "A release needs keys and values, such as `name: Town survey`.",
    "releases.files.no-keys.fix": "See the format of release files in the documentation.",
    "releases.files.several": "The file describes {number} releases; one is expected here.",
    "releases.files.several.fix": "Split the file, or read it with read_releases.",
    "releases.files.unknown": "This does not describe a release. A file for dprisk has the key "
    "`dprisk`; a record of the deployments registry has `url_slug` and `deployment`.",
    "releases.files.unknown.fix": "If the file was written for dprisk, add the line `dprisk: 1`.",
    "releases.loading.anchors": "Anchors and aliases (& and *) are not supported.",
    "releases.loading.anchors.fix": "Write the value out where it is needed.",
    "releases.loading.control": "The file contains the control character {byte}, so it is not "
    "text.",
    "releases.loading.control.fix": "Check that this is the right file.",
    "releases.loading.deep": "The file is nested more than {levels} levels deep.",
    "releases.loading.deep.fix": "Check that this is the right file.",
    "releases.loading.empty": "The file is empty.",
    "releases.loading.empty.fix": "Describe a release in it.",
    "releases.loading.ending": "dprisk cannot read files that end in {ending}.",
    "releases.loading.endings": "Use one of the endings {endings}.",
    "releases.loading.key": "A key is not text.",
    "releases.loading.key.fix": "Write each key as one word.",
    "releases.loading.line": "line {number}",
    "releases.loading.no-ending": "The file name has no ending, such as .yaml, that tells its "
    "format.",
    "releases.loading.no-reason": "it cannot be parsed",
    "releases.loading.not-parsed": "This is not valid {format}: {problem}.",
    "releases.loading.not-parsed.fix": "Check the quotes and commas.",
    "releases.loading.not-utf": "This is not UTF-8 text: byte {byte} cannot be read.",
    "releases.loading.not-utf.fix": "Save the file as UTF-8.",
    "releases.loading.not-yaml": "This is not valid YAML: {problem}.",
    "releases.loading.not-yaml.fix": "Check the indentation and the quotes.",
    "releases.loading.table": "To read a table, run dprisk audit.",
    "releases.loading.tag": "The tag {tag} is not supported.",
    "releases.loading.tag.fix": "Leave the tag out.",
    "releases.loading.twice": "The key {key} occurs twice.",
    "releases.loading.twice.fix": "Remove one of them.",
    # what is wrong with a key of the format, and what to do
    "releases.model.count": "The value must be a whole number, got {value}.",
    "releases.model.count.fix": "Write the number in digits: 1 or more.",
    "releases.model.count.long": "The value must be at most 10^9, got {value} with {digits} "
    "digits.",
    "releases.model.count.long.fix": "Larger counts are not supported.",
    "releases.model.date": "There is no date {date}.",
    "releases.model.date.fix": "Write the date as {example}.",
    "releases.model.key": "There is no key {key}.",
    "releases.model.known-keys": "Known keys: {keys}.",
    "releases.model.mechanism": "There is no mechanism {kind}.",
    "releases.model.mechanism-key": "{kind} has no key {key}.",
    "releases.model.missing": "{key} is missing.",
    "releases.model.missing.fix": "Add it.",
    "releases.model.more.one": "(1 more problem.)",
    "releases.model.more": "({number} more problems.)",
    "releases.model.nothing": "The release has neither a guarantee nor a mechanism.",
    "releases.model.nothing.fix": "List at least one, such as `guarantees: [{{epsilon: 1}}]`.",
    "releases.model.one-list": "`separate_parts` is for a file that has both guarantees and "
    "mechanisms.",
    "releases.model.one-list.fix": "Remove it: the parts of one list always add up.",
    "releases.model.twice": "The file has both guarantees and mechanisms. Are they two parts that "
    "add up, or one part stated twice?",
    "releases.model.twice.fix": "If they are about different outputs, add `separate_parts: true`. "
    "If the guarantees say again what the mechanisms keep, move them to `stated_also`, as one "
    "statement about the whole.",
    "releases.model.nothing-there": "nothing",
    "releases.model.number": "The value must be a number, got {value}.",
    "releases.model.number.fix": "{hint} Write a finite number, such as 0.5 or 1e-10. Formulas "
    "are not supported.",
    "releases.model.other-neighbors": "{kind} is about other neighbors; state a promise under "
    "`guarantees`.",
    "releases.model.say.dprisk": "Add the line `dprisk: 1`, the version of the format.",
    "releases.model.say.kind": "Name the mechanism: one of {choices}.",
    "releases.model.say.model": "Write one of {choices}.",
    "releases.model.say.name": "Say what is released, such as `name: Town survey`.",
    "releases.model.say.neighbors": "Write `neighbors: add-remove` or `neighbors: replace-one`.",
    "releases.model.say.period": "Say what time one release covers, such as `period: day`, or "
    "`period: once`.",
    "releases.model.say.unit": "Say whose data is protected, such as `unit: person` or "
    "`unit: user-day`.",
    "releases.model.takes": "{kind} takes {keys}.",
    "releases.model.version": "The file has version {version}; this dprisk reads only {known}.",
    "releases.model.version.fix": "Write `dprisk: {known}`, or use a newer dprisk.",
    # by pydantic's type of error
    "releases.model.type.greater_than_equal": "The value must be at least 1, got {got}.",
    "releases.model.type.greater_than_equal.fix": "Count in whole numbers.",
    "releases.model.type.less_than_equal": "The value must be at most 10^9, got {got}.",
    "releases.model.type.less_than_equal.fix": "Count in whole numbers.",
    "releases.model.type.literal_error": "{key} must be {expected}, got {got}.",
    "releases.model.type.literal_error.fix": "Choose one of these.",
    "releases.model.type.model_type": "This entry must have keys and values, got {got}.",
    "releases.model.type.model_type.fix": "Such as {{epsilon: 1}}.",
    "releases.model.type.string_too_long": "The text must be at most {max_length} characters long.",
    "releases.model.type.string_too_long.fix": "Shorten it.",
    "releases.model.type.string_too_short": "The value must not be empty.",
    "releases.model.type.string_too_short.fix": "Write some text, or leave the key out.",
    "releases.model.type.string_type": "The value must be text, got {got}.",
    "releases.model.type.string_type.fix": "Write some text, or leave the key out.",
    "releases.model.type.tuple_type": "The value must be a list, got {got}.",
    "releases.model.type.tuple_type.fix": "Start each item with a hyphen.",
    # promises and mechanisms
    "releases.forms.a-guarantee": "a guarantee",
    "releases.forms.all-keys": "Write all the keys of one of them, and no others.",
    "releases.forms.in-a-file": "one that a file can hold: {choices}",
    "releases.forms.in-a-file.fix": "Write an (epsilon, delta) that it implies.",
    "releases.forms.one-of": "one of {choices}",
    "releases.forms.one-promise": "one promise",
    "releases.forms.pure-delta.allowed": "pure DP without delta, or approximate DP",
    "releases.forms.pure-delta.fix": "A promise with a delta is approximate DP: leave out the "
    "definition.",
    "releases.forms.pure-delta.got": "pure DP with a delta",
    "releases.forms.separate": "{heads} are separate guarantees: list them apart. If both "
    "promises add up, write two entries under `guarantees`. If one is the same promise stated in "
    "another way, write it under `stated_also`.",
    "releases.words.dp-sgd.one": "{key} describes DP-SGD.",
    "releases.words.dp-sgd": "{keys} describe DP-SGD.",
    "releases.words.dp-sgd.epochs": "The number of steps is the number of epochs divided by the "
    "rate.",
    "releases.words.dp-sgd.fix": "If each batch is a Poisson sample, write {written} under "
    "`mechanisms`.",
    # numbers
    "releases.decimals.comma": "Decimals have a point.",
    "releases.decimals.digits": "Numbers may have at most {digits} digits.",
    "releases.decimals.infinite": "The number is larger than 1.7e308.",
    "releases.decimals.zero": "The number is too close to 0.",
    "releases.decimals.zeros": "Only 0 itself begins with a 0.",
    # releases made in Python, and written
    "releases.release.filled": "text that is not empty",
    "releases.release.guarantee": "a guarantee, such as PureDP(1.0)",
    "releases.release.list": "a list",
    "releases.release.listed": "Write it as a list with one item.",
    "releases.release.mechanism": "a mechanism, such as Laplace(scale=1.0, ...)",
    "releases.release.mechanism-neighbors": "those of its guarantee, {neighbors}",
    "releases.release.of": "a Release, a Guarantee, a Mechanism or a file",
    "releases.release.mechanism-neighbors.of": "the neighbors of the mechanism",
    "releases.release.neighbors-of": "the neighbors of {name}",
    "releases.release.part-neighbors": "those of the release, {neighbors}",
    "releases.release.part-neighbors.fix": "Convert the part first, with guarantee.for_neighbors.",
    "releases.writing.ending": "A release is written as YAML or JSON, not as {ending}.",
    "releases.writing.ending.fix": "Use the ending .yaml or .json.",
    "releases.writing.mechanism.fix": "State the promise of this mechanism instead: Part({part}).",
    "releases.writing.open": "A file has to say this: state it with dataclasses.replace.",
    "releases.writing.stated": "stated",
    # notes on what any release states: data that travels with it, in English
    "releases.notes.model.federated": "Federated: the numbers are about what they were stated "
    "for, usually the model or the sum that is published. Against anyone who sees what single "
    "devices send, they hold only if the noise is added on the device.",
    "releases.notes.model.local": "Local model: the noise is added to what each person sends. Do "
    "not rank this release against guarantees of the central model.",
    "releases.notes.model.missing": "The release does not say who adds the noise.",
    "releases.notes.model.shuffle": "Shuffle model: the numbers are about what leaves the "
    "shuffler, and hold only if the shuffler does not pass on who sent what. Against the shuffler "
    "itself, only the promise of each person's own noise holds. What shuffling adds to that "
    "promise is not computed.",
    "releases.notes.model.varies": "Who adds the noise varies, and so does whom the numbers "
    "protect against. Do not rank this release against a central or a local one.",
    "releases.notes.neighbors": "The release does not say which datasets are neighbors: "
    "{neighbors} is assumed, as is usual in the {model} model.",
    "releases.notes.period": "The numbers cover one period ({period}), not the total over time. "
    "For k periods, compose k releases.",
    "releases.notes.period.missing": "The release does not say what time the numbers cover. Do "
    "not read them as a total.",
    "releases.notes.unit.aggregate": "The unit names what is published, not whose data is "
    "protected.",
    "releases.notes.unit.below": "The guarantee covers one {unit}; a person may contribute "
    "several.",
    "releases.notes.unit.missing": "The release does not say whose data is protected.",
    "releases.notes.unit.several": "Several units ({units}) share one number. The release does "
    "not say how the number is split between them.",
    # notes on records of the registry, likewise; and what is wrong with one
    "releases.registry.doubts": "The record itself reports doubts about its numbers: read it "
    "before relying on them.",
    "releases.registry.epsilon-only": "The record is labeled {variant} and gives only an "
    "epsilon. Without the other parameter, the number promises nothing, so the record cannot be "
    "assessed.",
    "releases.registry.larger-part": "The field says {name} = {written}; the text of the record "
    "has a part of {part}, which is larger than the whole.",
    "releases.registry.neighbors-contradict": "The record contradicts itself on which datasets "
    "are neighbors: {neighbors} is assumed.",
    "releases.registry.neighbors-local": "The record speaks of records added or removed, but "
    "local noise hides which of several values a record has: {neighbors} is assumed.",
    "releases.registry.no-deployment": "A registry record needs the key `deployment`, with the "
    "description under it.",
    "releases.registry.no-deployment.fix": "Compare the file with a record of the registry.",
    "releases.registry.no-name": "The record has neither a name nor a url_slug.",
    "releases.registry.no-name.fix": "Give it a name under deployment, basic.",
    "releases.registry.no-parameters": "The record gives no privacy parameters, so it cannot be "
    "assessed.",
    "releases.registry.no-set": "The record gives no complete set of numbers, so it cannot be "
    "assessed.",
    "releases.registry.no-variant": "No variant is named; the numbers ({numbers}) are read as "
    "{read} DP.",
    "releases.registry.not-a-number": "{name} is not a number but {value}; it is kept as text and "
    "not evaluated.",
    "releases.registry.not-read": "The record has a parameter {name}, which is not used: {value}.",
    "releases.registry.other-sum": "The field says {name} = {written}; the text of the record "
    "also says {others}, which does not add up to that.",
    "releases.registry.other-variant": "The record is labeled {variant} DP, but its numbers "
    "({numbers}) are those of {read} DP. The numbers are used; check the source.",
    "releases.registry.repeated": "The record is labeled as one release, but also as repeated "
    "(period: {period}).",
    "releases.registry.separate": "The record states separate guarantees: {numbers} is assessed. "
    "{others} is kept beside it, never added to it.",
    "releases.registry.unusable": "A number of the record cannot be used: {problem}",
}
