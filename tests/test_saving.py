"""PDFs on a disk that is full: an error, and the process lives."""

import errno
import resource
import signal
from pathlib import Path

import pikepdf
import pytest

from generator.writing import save


def pdf(size: int) -> pikepdf.Pdf:
    made = pikepdf.new()
    made.add_blank_page()
    made.pages[0].Contents = made.make_stream(bytes(size))
    return made


def test_a_file_is_saved_whole(tmp_path: Path) -> None:
    save(pdf(100), tmp_path / "file.pdf", deterministic_id=True)
    with pikepdf.open(tmp_path / "file.pdf") as read:
        assert read.pages[0].Contents.read_bytes() == bytes(100)


@pytest.mark.parametrize("size", [10, 100_000])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_a_full_disk_is_an_error(size: int) -> None:
    with pytest.raises(OSError, match="No space left") as caught:
        save(pdf(size), Path("/dev/full"), compress_streams=False)
    assert caught.value.errno == errno.ENOSPC


def test_a_disk_that_fills_up_on_the_way(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
    try:
        with pytest.raises(OSError, match="File too large"):
            save(pdf(1_000_000), tmp_path / "file.pdf", compress_streams=False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
