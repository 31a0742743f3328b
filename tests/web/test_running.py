"""From start to end: what it prints, how it stops, and that nothing of it is left."""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import subprocess
import sys
import time

import httpx
import pytest

from dprisk.web.running import _address, _bound
from tests.cli.running import run
from tests.web.running import LONG, QUICK, children, runs, serving

pytestmark = pytest.mark.skipif(os.name == "nt", reason="reads /proc")
JSON = {"Content-Type": "application/json"}


def gone(pids, seconds=15.0):
    """Whether processes end within some seconds."""
    until = time.monotonic() + seconds
    while any(map(runs, pids)) and time.monotonic() < until:
        time.sleep(0.05)
    return not any(map(runs, pids))


def asking_long(served):
    """A connection on which a long question was asked."""
    body = json.dumps(LONG).encode()
    head = (
        f"POST /api/compose HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    connection = socket.create_connection(("127.0.0.1", served.port))
    connection.sendall(head.encode() + body)
    time.sleep(1.0)
    return connection


def test_a_signal_ends_it():
    """In the middle of a question too: soon, with success, and with all of its processes."""
    with serving() as served, asking_long(served):
        workers = children(served.process.pid)
        assert workers
        served.process.send_signal(signal.SIGINT)
        assert served.process.wait(20) == 0
        assert served.process.stdout.read() == "Stopped.\n"
        assert gone(workers)


def test_killed():
    """Nobody can tell the workers then; they end by themselves, in the middle of a question."""
    with serving() as served, asking_long(served):
        workers = children(served.process.pid)
        served.process.kill()
        served.process.wait(20)
        assert gone(workers)


def test_says_nothing_of_what_is_asked():
    """Neither questions nor addresses, good or bad, are written anywhere."""
    with serving() as served, httpx.Client(base_url=served.address, timeout=60) as client:
        client.post("/api/assess", content=json.dumps(QUICK), headers=JSON)
        client.post("/api/assess", content='{"epsilon": "secret-1"}', headers=JSON)
        client.get("/promise?epsilon=secret-2")
        client.get("/", headers={"Host": "secret-3"})
        with socket.create_connection(("127.0.0.1", served.port)) as other:
            other.sendall(b"secret-4\r\n\r\n")
            other.recv(1000)
        served.process.terminate()
        assert served.process.stdout.read() == "Stopped.\n"


def test_says_what_is_asked_if_told_to():
    with serving("--log") as served, httpx.Client(base_url=served.address) as client:
        client.get("/nothing?epsilon=logged")
        served.process.terminate()
        assert "/nothing?epsilon=logged" in served.process.stdout.read()


def test_a_head_that_does_not_come(server):
    """Whoever opens a connection and dawdles is cut off."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        connection.sendall(b"GET /api HTTP/1.1\r\n")
        start = time.monotonic()
        try:
            for _ in range(100):
                connection.sendall(b"X: a\r\n")
                time.sleep(0.2)
        except OSError:
            pass
        assert 5 < time.monotonic() - start < 20


def test_what_is_no_http(server):
    """Refused; the next is served."""
    for sent in (b"\x16\x03\x01", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\0" * 70_000):
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
            connection.sendall(sent + b"\r\n\r\n")
            found = connection.recv(1000)
            assert found[:10] in (b"HTTP/1.1 4", b"")
    assert httpx.get(f"{server.address}api").status_code == 200


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--port", "70000"], "--port 70000: the value must be a port between 0 and 65535"),
        (["--port", "many"], "--port many: the value must be a whole number"),
        (["--workers", "1"], "--workers 1: the value must be at least 3"),
        (["--seconds", "0"], "--seconds 0: the value must be above 0"),
        (["--seconds", "soon"], "--seconds soon: the value must be a number"),
        (["--memory", "much"], "--memory much: the value must be"),
        (["--memory", "30MB"], "--memory must be enough for a process to start"),
        (["--memory", "inf"], "--memory inf: the value must be"),
        (["--host", "300.0.0.1"], "--host 300.0.0.1: the value must be an address of this machine"),
        (["--host", "\ud800"], "--host '\\ud800': the value must be an address of this machine"),
        (["--host", "192.0.2.1"], "--port must be an address that is free"),
        (["--name", "a b"], "--name 'a b': the value must be a name"),
        (["--name", ""], "--name '': the value must be a name"),
        (["--name", "risk.org:80"], "--name risk.org:80: the value must be a name"),
    ],
)
def test_what_it_cannot_be(options, said):
    done = run("serve", "--no-browser", *options)
    assert done.code == 2
    assert done.err.startswith(f"Error: {said}")
    assert done.out == ""


def test_a_start_that_fails_leaves_no_process():
    """None is open when its loop is gone, which Python would say of it later."""
    for _ in range(8):
        assert run("serve", "--no-browser", "--memory", "30MB").code == 2
        gc.collect()


def test_answers_are_sent_at_once():
    """asyncio waits for nothing where a socket says that it is TCP, and else for 40 ms at times."""
    with _bound("127.0.0.1", 0) as place:
        assert place.proto == socket.IPPROTO_TCP


def test_a_port_that_is_taken(server):
    done = run("serve", "--no-browser", "--port", str(server.port))
    assert done.code == 2
    assert f"127.0.0.1:{server.port}" in done.err


def test_without_the_extra(monkeypatch):
    """Who has not installed it is told how to."""
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "dprisk.web.running", raising=False)
    done = run("serve", "--no-browser")
    assert done.code == 2
    assert "pip install 'dprisk[serve]'" in done.err


def test_the_address_and_a_token_are_told_once_and_a_browser_is_opened(monkeypatch):
    opened, address = [], "http://127.0.0.1:1/"
    monkeypatch.setattr("webbrowser.open", opened.append)
    for token, options in ((None, ()), ("s3cret", ("--no-browser",))):
        monkeypatch.setattr("dprisk.web.running.run", lambda _, tell, t=token: tell(address, t))
        done = run("serve", *options)
        assert done.out.startswith(f"dprisk is at {address}\n")
        assert done.out.count("s3cret") == done.out.count("oken") == (token is not None)
    assert opened == [address]


def test_importing_the_command_line_loads_no_server():
    """Nobody else waits for the web."""
    code = "import dprisk.cli, sys; dprisk.cli.application(); print('fastapi' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_who_is_at_every_address_is_called_by_name():
    with _bound("0.0.0.0", 0) as place:  # nobody listens
        port = place.getsockname()[1]
        assert _address(place, "0.0.0.0") == f"http://{socket.gethostname()}:{port}/"
    with _bound("127.0.0.1", 0) as place:
        assert _address(place, "localhost").startswith("http://localhost:")
