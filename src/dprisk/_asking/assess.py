"""What an adversary can learn from a release."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, NamedTuple

from dprisk._asking import options, reading
from dprisk._asking.reading import unclear
from dprisk.errors import DpriskError

if TYPE_CHECKING:
    from dprisk.documents.findings import Assessment
    from dprisk.releases.release import Release


class AssessOptions(NamedTuple):
    """``assess``: one assessment, or one for each of several releases."""

    files: Annotated[
        options.Texts, options.argument("help.assess.files", options.FILE_OR_NUMBERS)
    ] = None
    promise: options.Promise = options.Promise()
    mechanism: options.MechanismKind = None
    unit: options.Unit = None
    asker: options.Asker = options.Asker()
    releases: options.Releases = "1"
    limit: options.Limit = None

    def answer(self) -> Assessment | list[Assessment]:
        """One assessment, or a list of several."""
        described = self._described()
        limits = reading.limits(self.limit)
        again = [options.again(one, self.releases) for one in described]
        made = [self._assessed(one, limits, alone=len(again) == 1) for one in again]
        return made[0] if len(made) == 1 else made

    def _described(self) -> list[Release]:
        from dprisk.releases.files import read_releases

        promise, files = self.promise, self.files or []
        subject = options.Subject(self.files, promise, self.mechanism)
        if subject.typed:
            return [subject.release("assess", self.unit)]
        if not files:
            raise unclear("no-release", example=options.example("assess"))
        options.in_file({"--neighbors": promise.neighbors, "--unit": self.unit})
        return [release for file in files for release in read_releases(file)]

    def _assessed(self, release: Release, limits: dict[str, float], *, alone: bool) -> Assessment:
        """One assessment; among several, one without an answer says why and stops no other."""
        from dprisk.documents.assessing import assess
        from dprisk.releases.notes import Note

        adversary = self.asker.asking(release)
        try:
            return assess(release, adversary, limits=limits)  # type: ignore[arg-type]
        except DpriskError as error:
            if alone:
                raise
            why = Note("unusable", str(error))
            silent = replace(release, parts=(), stated_also=(), notes=(why, *release.notes))
            return assess(silent, adversary, limits=limits)  # type: ignore[arg-type]
