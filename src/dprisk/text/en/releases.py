"""Refusals of descriptions of releases, and notes for the reader of one."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    # what is wrong with a file, and what to do
    "releases.correct": "Correct the value.",
    "releases.must-be": "{name} must be {allowed}, got {got}.",
    "releases.loading.control": "The file contains the control character {byte}, so it is not "
    "text.",
    "releases.loading.control.fix": "Check that this is the right file.",
    "releases.loading.ending": "dprisk cannot read files that end in {ending}.",
    "releases.loading.endings": "Use one of the endings {endings}.",
    "releases.loading.no-ending": "The file name has no ending, such as .yaml, that tells its "
    "format.",
    "releases.loading.not-parsed": "This is not valid {format}: {problem}.",
    "releases.loading.not-parsed.fix": "Check the quotes and commas.",
    "releases.loading.table": "To read a table, run dprisk audit.",
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
    "releases.model.rows": "The key {key} takes a list of numbers, or a list of rows of them.",
    "releases.model.rows.fix": "Write it such as [1, 0.5], or [[1, 0], [1, 1]] for two rows.",
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
    "releases.forms.one-of": "one of {choices}",
    "releases.forms.pure-delta.allowed": "pure DP without delta, or approximate DP",
    "releases.forms.pure-delta.fix": "A promise with a delta is approximate DP: leave out the "
    "definition.",
    "releases.forms.pure-delta.got": "pure DP with a delta",
    # trainings with DP-SGD
    "releases.training.promise": "{keys} describe DP-SGD, which is a mechanism and not a promise.",
    "releases.training.promise.fix": "List this entry under `mechanisms`.",
    "releases.training.is.poisson": "each record joins each batch by a coin of its own, so the "
    "size of a batch varies.",
    "releases.training.is.truncated-poisson": "the same, and batches are cut at a largest size.",
    "releases.training.is.without-replacement": "every batch has one size, and is drawn anew "
    "from all records.",
    "releases.training.is.allocation": "in each epoch, each record joins one batch, drawn "
    "by itself.",
    "releases.training.is.shuffled": "each epoch goes once through all records, in any order, "
    "in batches of one size.",
    "releases.training.is.full-batch": "every batch has every record.",
    "releases.training.sampling": "If none of these is how batches were drawn, none of the "
    "answers holds for the run.",
    "releases.training.relation.fix": "The theorem about {sampling} batches is about other "
    "neighbors.",
    "releases.training.relative.fix": "Where a record is exchanged for another, a noise "
    "multiplier of 1 can mean noise of one clipping norm, or of one distance of two sums, "
    "which is two norms. "
    "clipping-norm is what Opacus and TensorFlow Privacy store.",
    "releases.training.noise_multiplier": "the noise over the clipping norm, such as 1.1",
    "releases.training.noise_multiplier.fix": "",
    "releases.training.sample_rate": "a share of the records, such as 0.01 or 256/60000",
    "releases.training.batch_cap": "the largest size of a batch",
    "releases.training.batch_cap.fix": "",
    "releases.training.examples": "the number of records",
    "releases.training.examples.fix": "",
    "releases.training.cap.fix": "Batches that are cut at a largest size are truncated-poisson.",
    "releases.training.sample_rate.fix": "Or give batch_size and examples.",
    "releases.training.steps": "a number of batches, such as 5000",
    "releases.training.steps.fix": "Or give epochs.",
    # warnings that travel with a release
    "releases.cautions.float32": "Noise drawn in float32 has a largest value. If it was drawn by "
    "PyTorch on a CPU, no δ below {torch} holds for this run, whatever ε is (by JAX: below about "
    "{jax}). The numbers here are for exact normal noise.",
    "releases.cautions.poisson": "The numbers hold for Poisson sampling only. Most data loaders "
    "shuffle and cut batches of one size instead. For these, and for batches that are cut at a "
    "largest size, ε can be larger.",
    "releases.cautions.shuffled": "No theorem says what shuffling adds. The numbers are those of "
    "a known order, once through all records in each epoch; they are certain, and may be high.",
    "releases.cautions.allocation": "Each record joins one step of each epoch, drawn by itself. "
    "One shuffled list, cut into batches of one size, is not the same.",
    "releases.cautions.truncated-poisson": "A batch that is cut reveals more than a Poisson "
    "sample: a record can push out another. A cap far above the mean size costs little, one "
    "near it much.",
    "releases.cautions.poisson.size": "The batch size of {batch} is read as a mean: under Poisson "
    "sampling, sizes vary. If every batch had {batch} records, or at most a largest number, this "
    "was not Poisson sampling, and ε can be larger.",
    "releases.cautions.small-delta": "If ε was computed by a numerical accountant, it may be too "
    "small: at δ = {delta} and below, several were seen below the true value. Describe the "
    "mechanism itself, and dprisk computes it.",
    # numbers
    "releases.decimals.comma": "Decimals have a point.",
    "releases.decimals.digits": "Numbers may have at most {digits} digits.",
    "releases.decimals.infinite": "The number is larger than 1.7e308.",
    "releases.decimals.zero": "The number is too close to 0.",
    "releases.decimals.zeros": "Only 0 itself begins with a 0.",
    # releases made in Python, and written
    "releases.release.mechanism-neighbors": "those of its guarantee, {neighbors}",
    "releases.release.part-neighbors": "those of the release, {neighbors}",
    "releases.release.part-neighbors.fix": "Convert the part first, with guarantee.for_neighbors.",
    "releases.release.computational": "a Computational, or left out",
    "releases.release.computational.fix": "Such as Computational(2.0**-100, 'AES-CTR generator').",
    "releases.release.conditional": "a release that rests on no computational assumption",
    "releases.release.conditional.fix": "What is added up here has no room for the assumption. Ask "
    "assess, compose, power, explain or report.",
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
    "releases.registry.larger-part": "The field says {name} = {written}; the text of the record "
    "has a part of {part}, which is larger than the whole.",
    "releases.registry.neighbors-contradict": "The record contradicts itself on which datasets "
    "are neighbors: {neighbors} is assumed.",
    "releases.registry.neighbors-local": "The record speaks of records added or removed, but "
    "local noise hides which of several values a record has: {neighbors} is assumed.",
    "releases.registry.no-variant": "No variant is named; the numbers ({numbers}) are read as "
    "{read} DP.",
    "releases.registry.other-sum": "The field says {name} = {written}; the text of the record "
    "also says {others}, which does not add up to that.",
    "releases.registry.other-variant": "The record is labeled {variant} DP, but its numbers "
    "({numbers}) are those of {read} DP. The numbers are used; check the source.",
}
