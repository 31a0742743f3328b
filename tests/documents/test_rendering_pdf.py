"""On paper: the summary is one page whatever is in it, and the report breaks where it may."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
import warnings
from functools import cache
from importlib.util import find_spec
from typing import Any

import pytest

from dprisk import Adversary, ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP, read_release
from dprisk.documents import Labels, report
from dprisk.documents.document import Figure, Sentence
from dprisk.documents.rendering import can_print
from dprisk.errors import InvalidInput, NotInstalled
from dprisk.mechanisms import Gaussian, Laplace
from dprisk.releases import Part
from dprisk.text import fill
from tests.cli.running import run, survey
from tests.documents.browser import needs_chromium, opened
from tests.documents.samples import EVIL, approximate, everything, pure, release
from tests.needed import needs

with warnings.catch_warnings(action="ignore"):  # about a library that newer versions need
    needs_printer = needs(
        can_print(),
        "WeasyPrint with Pango",
        "pip install 'dprisk[pdf]', apt install libpango-1.0-0 libpangoft2-1.0-0",
        "DPRISK_PANGO",
    )
WHO: Any = {"neighbors": "add-remove"}
ALL_LIMITS: Any = {"posterior": 0.9, "difference": 0.2, "ratio": 3.0, "ratio_not": 3.0, "odds": 4.0}
LONG = "a very long name that goes on and on " * 40


def example(name, **labels):
    """One of the examples, with a limit."""
    file = f"examples/{name}"
    return report(read_release(file), limits={"posterior": 0.6}, labels=Labels(file=file, **labels))


def crowded():
    """As much as a page can be asked to hold, in the longer language."""
    parts = [Part(PureDP(0.1, **WHO), label=f"{LONG} {n}") for n in range(20)]
    described = release(
        *parts, name=LONG, curator=LONG, date=LONG, unit=LONG, period=LONG, invariants=[LONG] * 9
    )
    labels = Labels(by=LONG, date=LONG, file=LONG, language="de")
    many = Adversary(priors=tuple(n / 100 for n in range(1, 100)))
    limits = ALL_LIMITS | {"posterior": 0.995}
    return report(described, many, limits=limits, labels=labels)


CASES = {
    "pure": pure,
    "approximate": approximate,
    "hostile": everything,
    "broadband": lambda: example("broadband.yaml", by="A. Analyst"),
    "user-url": lambda: example("user-url.yaml", language="de"),
    "census": lambda: example("census.yaml"),
    "page views": lambda: example("pageviews.toml", language="de"),
    "crowded": crowded,
    "tiny": lambda: report(GaussianDP(1e-4, **WHO), Adversary(priors=(0.001,))),
    "vacuous": lambda: report(ZeroConcentratedDP(15.0, **WHO), limits=ALL_LIMITS),
    "nothing": lambda: report(ApproxDP(1.0, 1.0, **WHO), limits={"posterior": 0.9}),
    "mechanisms": lambda: report(
        release(Part.of(Gaussian(4.0, 1.0, **WHO), 3, "ages"), Part.of(Laplace(2.0, 1.0, **WHO))),
        upto=1,
    ),
}


@cache
def made(case):
    return CASES[case]()


@pytest.fixture(scope="module", params=CASES)
def case(request):
    """One after the other, so that what was made for a case is still there for its next test."""
    return request.param


@needs_printer
def test_the_summary_is_one_page(case, caplog):
    from dprisk.documents.rendering import laid_out

    with caplog.at_level(logging.ERROR, "weasyprint"):
        assert len(laid_out(made(case).summary().to_html(), 1).pages) == 1
    assert not caplog.records


@needs_chromium
@pytest.mark.parametrize("case", ["broadband", "user-url", "vacuous", "hostile"])
def test_a_browser_prints_the_summary_on_one_page(case, tmp_path):
    path = tmp_path / "summary.html"
    made(case).summary().save(path)
    with opened(path, media="print") as page:
        page.goto(path.as_uri())
        printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type /Page\b", printed)) == 1


def test_the_summary_has_the_headline_and_picture_of_the_report(case):
    whole, one = made(case).sections()[0].blocks, made(case).summary().sections[1].blocks
    if made(case).asked.labels.language == "en":
        assert whole[0] == one[0]
    texts, pictures = (
        [[block for block in blocks if isinstance(block, kind)][:1] for blocks in (one, whole)]
        for kind in (Sentence, Figure)
    )
    assert texts[0] == texts[1]
    small, large = ([(each.caption, each.alt, each.numbers) for each in some] for some in pictures)
    assert small == large  # drawn at another size
    few, many = (
        [re.findall(rb'<use [^>]*?fill: ([^;"]+)', each.svg) for each in some] for some in pictures
    )
    assert few == many and all(len(each) > 190 for each in few)


def test_the_verdict_is_that_of_the_report():
    kept, broken = (made(case).summary().to_markdown() for case in ("broadband", "vacuous"))
    assert made("broadband").kept
    assert fill("report.limits.one.kept") in kept
    assert "for up to 2 releases like this one" in kept
    assert not made("vacuous").kept
    assert f"| {fill('report.limits.broken')} |" in broken


@needs_printer
def test_pdf_is_the_same_every_time_and_says_its_language(tmp_path):
    path = tmp_path / "summary.pdf"
    summary = made("user-url").summary()
    summary.save(path)
    assert path.read_bytes() == summary.to_pdf()
    assert path.read_bytes().startswith(b"%PDF-1.7")
    with pytest.raises(InvalidInput, match="format of a summary"):
        summary.save(tmp_path / "summary.json")
    assert [each.name for each in tmp_path.iterdir()] == ["summary.pdf"]


@needs_printer
def test_the_report_has_no_half_empty_page():
    """Each but the last is filled to more than a half."""
    from dprisk.documents.rendering import laid_out

    pages = laid_out(made("user-url").to_html()).pages
    assert len(pages) > 3
    for page in pages[:-1]:
        lines = [box for box in page._page_box.descendants() if hasattr(box, "text")]
        lowest = max(box.position_y + box.height for box in lines if box.position_y < 1030)
        assert lowest > 0.5 * page.height


@needs_printer
def test_the_command_line_writes_pdf(tmp_path):
    file, path = survey(tmp_path), tmp_path / "one.pdf"
    done = run("report", file, "--summary", "-o", path)
    assert (done.code, done.err) == (0, "")
    assert path.read_bytes().startswith(b"%PDF")
    assert run("report", file, "--summary", "-o", path).code == 2  # it exists
    text = run("report", file, "--summary")
    assert text.out.startswith("# Town survey: disclosure risk on one page\n")


def test_without_the_printer_one_sentence_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    with pytest.raises(NotInstalled, match=r"pip install 'dprisk\[pdf\]'"):
        pure().to_pdf()
    path = tmp_path / "report.pdf"
    done = run("report", survey(tmp_path), "-o", path)
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert not path.exists()


def test_without_its_library_one_sentence_says_so_too(monkeypatch):
    class Broken:
        def find_spec(self, name, *_):
            if name == "weasyprint":
                raise OSError("cannot load library 'libpango-1.0-0'")

    monkeypatch.delitem(sys.modules, "weasyprint", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    with pytest.raises(NotInstalled, match=r"library libpango-1\.0-0 is .* apt install libpango"):
        pure().summary().to_pdf()


@pytest.mark.skipif(find_spec("weasyprint") is None, reason="no WeasyPrint on this machine")
def test_on_a_system_without_libraries_nothing_else_is_printed(tmp_path):
    """WeasyPrint itself prints ten lines of advice when it does not find one."""
    code = (
        "import cffi\ndef gone(_, name, *flags): raise OSError(f\"cannot load library '{name}'\")\n"
    )
    code += "cffi.FFI.dlopen = gone\nfrom dprisk.cli import main\nmain()"
    command = [sys.executable, "-c", code, "report", survey(tmp_path), "-o", tmp_path / "r.pdf"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "the library libgobject-2.0-0 is missing here" in done.stderr


def test_hostile_text_stays_text():
    html = everything().summary().to_html()
    assert "<script" not in html
    assert "\u202e" not in html
    assert EVIL not in html


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere ctypes runs nothing")
@needs_printer
def test_no_compiler_is_run(tmp_path):
    """Whatever is called gcc on the way is nothing that a report may start."""
    for name in ("gcc", "cc", "ld", "objdump"):
        (tmp_path / name).write_text(f"#!/bin/sh\necho {name} >> {tmp_path}/ran\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    path = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    work = "from dprisk.documents.rendering import printer; printer()"
    subprocess.run([sys.executable, "-c", work], env=path, check=True)
    assert not (tmp_path / "ran").exists()
