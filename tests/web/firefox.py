"""Firefox from the system, with the network off, by its own remote protocol (Marionette).

Playwright cannot drive it: it needs a Firefox of its own. Marionette is what geckodriver speaks,
and takes no package: a message is its length, a colon and JSON.
"""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.needed import needs, works

FIREFOX = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
needs_firefox = needs(
    works(FIREFOX, "--version"), "Firefox", "apt install firefox-esr", "DPRISK_BROWSER"
)
PATIENCE = 60.0  # seconds
PREFERENCES = {
    "marionette.port": 0,  # any that is free; it is written to a file
    "network.proxy.type": 1,  # everything goes to a port where nobody listens
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "datareporting.policy.dataSubmissionEnabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "app.update.disabledForTesting": True,
}


class Firefox:
    """A window of it."""

    def __init__(self, stream: socket.socket) -> None:
        self.stream = stream.makefile("rwb")
        self.count = 0
        self._received()  # its greeting

    def ask(self, command: str, **parameters: Any) -> Any:
        """One command of WebDriver, and what comes back."""
        self.count += 1
        text = json.dumps([0, self.count, f"WebDriver:{command}", parameters]).encode()
        self.stream.write(b"%d:%s" % (len(text), text))
        self.stream.flush()
        _, _, error, result = self._received()
        if error:
            raise RuntimeError(error["message"])
        return result.get("value") if isinstance(result, dict) else result

    def evaluate(self, script: str, *arguments: Any) -> Any:
        """What a script returns, in the page."""
        return self.ask("ExecuteScript", script=script, args=list(arguments), scriptTimeout=600_000)

    def screenshot(self, path: Path) -> None:
        """The whole page, as a picture."""
        path.write_bytes(base64.b64decode(self.ask("TakeScreenshot", full=True)))

    def _received(self) -> Any:
        size = b""
        while not size.endswith(b":"):
            size += self.stream.read(1)
        return json.loads(self.stream.read(int(size[:-1])))


@contextmanager
def opened(folder: Path, *, width: int = 1200, dark: bool = False) -> Iterator[Firefox]:
    """A fresh Firefox whose profile is in a folder, and goes with it."""
    if FIREFOX is None:
        raise RuntimeError("DPRISK_BROWSER=required, but there is no firefox on this machine.")
    profile = folder / "profile"
    profile.mkdir()
    wanted = {**PREFERENCES, "layout.css.prefers-color-scheme.content-override": 0 if dark else 1}
    lines = (f"user_pref({json.dumps(key)}, {json.dumps(value)});" for key, value in wanted.items())
    (profile / "user.js").write_text("\n".join(lines))
    command = [FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with socket.create_connection(("127.0.0.1", _port(profile)), timeout=600) as stream:
            firefox = Firefox(stream)
            firefox.ask("NewSession")
            firefox.ask("SetWindowRect", width=width, height=900)
            yield firefox
    finally:
        process.kill()
        process.wait()


def _port(profile: Path) -> int:
    until = time.monotonic() + PATIENCE
    where = profile / "MarionetteActivePort"
    while time.monotonic() < until:
        if where.exists() and where.read_text():
            return int(where.read_text())
        time.sleep(0.1)
    raise RuntimeError("Firefox did not start.")
