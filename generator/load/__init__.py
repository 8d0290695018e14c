"""The load stage: files in, nodes that know file, line and column out; nothing is interpreted."""

from generator.load.documents import Documents, read_document
from generator.load.files import read_text
from generator.load.packs import read_pack, required_packs

__all__ = ["Documents", "read_document", "read_pack", "read_text", "required_packs"]
