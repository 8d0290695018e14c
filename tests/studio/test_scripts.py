import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).with_name("scripts")


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_parts_of_the_page_that_need_no_browser():
    tests = sorted(map(str, SCRIPTS.glob("*.test.mjs")))
    done = subprocess.run(
        ["node", "--test", *tests], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout
