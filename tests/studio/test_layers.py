"""The server imports no stage: it answers at once, whatever the session is doing."""

import subprocess
import sys

STAGES = ("load", "validate", "render", "impose", "export", "preflight", "build", "outlets", "cli")


def test_the_server_imports_no_stage() -> None:
    program = "import sys, generator.studio.serving; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    loaded = {module.split(".")[1] for module in done.stdout.split() if "generator." in module}
    assert "studio" in loaded
    assert not loaded & {*STAGES}
