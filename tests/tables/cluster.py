"""A Spark cluster on loopback: a standalone master, and workers that can be killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

HOST = "127.0.0.1"
PATIENCE = 120.0  # seconds
SETTINGS = {
    "spark.driver.bindAddress": HOST,
    "spark.driver.host": HOST,
    "spark.executor.memory": "1g",
    "spark.log.level": "ERROR",
    "spark.scheduler.minRegisteredResourcesRatio": "1",
    "spark.sql.shuffle.partitions": "16",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@contextmanager
def session(master: str, **more: str) -> Iterator[Any]:
    """Spark with its driver in this process."""
    from pyspark.sql import SparkSession

    with patch.dict(os.environ, {"SPARK_LOCAL_IP": HOST, "PYSPARK_PYTHON": sys.executable}):
        made = SparkSession.builder.config(map={**SETTINGS, **more}).master(master).getOrCreate()
        try:
            yield made
        finally:
            made.stop()


@dataclass
class Cluster:
    """Where the master listens, and the processes of its workers."""

    address: str
    workers: list[subprocess.Popen[bytes]]

    def kill(self) -> None:
        """One worker, and whatever it runs, at once."""
        _kill(self.workers.pop())


@contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """A master and workers of one core each."""
    port = _free_port()
    address = f"spark://{HOST}:{port}"
    deploy = "org.apache.spark.deploy"
    started = [_start(folder, "master", f"{deploy}.master.Master", "--port", str(port))]
    try:
        wait_until(lambda: _listens(port))
        for number in range(workers):
            place = folder / f"worker-{number}"
            more = ("--cores", "1", "--memory", "1g", "-d", str(place), address)
            started.append(_start(folder, place.name, f"{deploy}.worker.Worker", *more))
        yield Cluster(address, started[1:])
    finally:
        for process in started:
            _kill(process)


def wait_until(there: Callable[[], Any]) -> None:
    """Look again and again."""
    end = time.monotonic() + PATIENCE
    while not there():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


def executors(spark: Any) -> int:
    """How many there are; the driver is one more in the list of the tracker."""
    return len(spark.sparkContext._jsc.sc().statusTracker().getExecutorInfos()) - 1


def _start(folder: Path, name: str, *command: str) -> subprocess.Popen[bytes]:
    import pyspark

    place = Path(pyspark.__file__).parent
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), *sys.path]))
    known = {**os.environ, "SPARK_HOME": str(place), "SPARK_LOCAL_IP": HOST, "PYTHONPATH": path}
    arguments = [str(place / "bin" / "spark-class"), *command, "--host", HOST, "--webui-port", "0"]
    with open(folder / f"{name}.log", "wb") as log:
        return subprocess.Popen(
            arguments, env=known, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )


def _kill(process: subprocess.Popen[bytes]) -> None:
    """A process and all of its session."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
