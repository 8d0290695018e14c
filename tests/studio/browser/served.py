"""A studio that runs in a process of its own, as `gridpress studio` starts it."""

import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import psutil

COMMAND = (sys.executable, "-m", "generator", "studio", "--no-open", "--port")
GRACE = 20  # seconds


class Served:
    """A server; its address names the secret that lets a browser in."""

    def __init__(self, folder: Path, project: str = "", port: int = 0) -> None:
        command = [*COMMAND, str(port), *([project] if project else [])]
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
        output = self.process.stdout
        assert output
        self._output: IO[str] = output
        self.address = next(line for line in output if "http://" in line).split()[-1]

    @property
    def origin(self) -> str:
        """Return the address without the secret."""
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def port(self) -> int:
        """Return the port."""
        return urlsplit(self.address).port or 0

    def kill(self) -> None:
        """End the server as a crash of the computer would."""
        first = psutil.Process(self.process.pid)
        for process in (*first.children(recursive=True), first):
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self.process.wait(GRACE)
        self._output.close()

    def end(self) -> None:
        """End the server as Ctrl-C does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(GRACE)
        self._output.close()
