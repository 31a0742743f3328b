"""Plain text out of Markdown, HTML and LaTeX that others wrote."""

from __future__ import annotations

import html
import re
import unicodedata

TERMINAL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[@-_])?")
TAG = re.compile(r"</?[A-Za-z!][^<>]*>")
SCRIPT = re.compile(r"<(script|style)\b[^<>]*>.{0,10000}?</\1\s*>", re.IGNORECASE | re.DOTALL)
IMAGE_OR_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
MATH = re.compile(r"\\{1,2}[()\[\]]|\$")
GREEK = re.compile(r"\\(epsilon|varepsilon|delta|rho|mu|alpha|gamma|xi|sigma|tau|ln|log|exp)\b")
COMMAND = re.compile(r"\\[A-Za-z]+\s?")
EMPHASIS = re.compile(r"(\*\*|__|~~|`+|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w))")
BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)]|#{1,6}|>)\s+")
ADDRESS = re.compile(r"https?://[^\s<>\"'`\\^{}|]{1,2000}")
LONGEST = 2000


def plain(text: str, longest: int = LONGEST) -> str:
    """One line of plain text: no markup, no control characters, at most `longest` of them."""
    text = html.unescape(TERMINAL.sub("", text[: 10 * longest]))
    text = _until_stable(SCRIPT, _shown(text))
    text = _until_stable(TAG, text)
    text = IMAGE_OR_LINK.sub(r"\1", text)
    text = GREEK.sub(lambda match: match[1].removeprefix("var"), MATH.sub("", text))
    text = EMPHASIS.sub("", COMMAND.sub("", text))
    text = " ".join(BULLET.sub("", text).split())
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def lines(text: str, longest: int = 300) -> tuple[str, ...]:
    """The lines or bullets of a text, each as plain text, without empty ones."""
    found = (plain(line, longest) for line in text.splitlines()[:200])
    return tuple(line for line in found if line)


def addresses(text: str) -> tuple[str, ...]:
    """The web addresses in a text, in order, each once."""
    found = (_trimmed(html.unescape(match)) for match in ADDRESS.findall(_shown(text)))
    return tuple(dict.fromkeys(address for address in found if address))


def _trimmed(address: str) -> str:
    """An address without the punctuation of the sentence around it."""
    while address and address[-1] in ".,;:!?)]*":
        if address[-1] == ")" and address.count("(") >= address.count(")"):
            break
        address = address[:-1]
    return address


def _shown(text: str) -> str:
    """A text without the characters that are not shown or that turn the text around."""
    return "".join(
        " " if character in "\n\r\t" else character
        for character in text
        if character in "\n\r\t" or unicodedata.category(character) not in {"Cc", "Cf", "Co", "Cs"}
    )


def _until_stable(pattern: re.Pattern[str], text: str) -> str:
    for _ in range(5):
        text, changes = pattern.subn("", text)
        if not changes:
            break
    return text
