"""Files that one drops from the desktop."""

import base64
import io

from PIL import Image
from playwright.sync_api import Locator

_DROP = """(target, [content, name, type]) => {
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], name, { type }));
  const { left, top, width, height } = target.getBoundingClientRect();
  const at = { clientX: left + width / 2, clientY: top + height / 4 };
  for (const type of ["dragover", "drop"]) {
    target.dispatchEvent(new DragEvent(type, { ...at, dataTransfer: data, bubbles: true,
      cancelable: true }));
  }
}"""


def drop(target: Locator, name: str, content: bytes, media: str) -> None:
    """Drop a file on the upper half of something."""
    target.evaluate(_DROP, [base64.b64encode(content).decode(), name, media])


def drop_picture(side: Locator, name: str) -> None:
    """Drop a red picture on a face."""
    content = io.BytesIO()
    Image.new("RGB", (900, 700), (200, 20, 20)).save(content, "PNG")
    drop(side, name, content.getvalue(), "image/png")
