"""Scripts that most fonts do not have, each with a letter that every font for it has, and fonts to
get."""

from __future__ import annotations

from typing import Final, NamedTuple

from fontTools import unicodedata


class Script(NamedTuple):
    """A script: its name, a letter of it, and free fonts that have it."""

    name: str
    letter: str
    fonts: str


_JAPANESE: Final = "Noto Sans JP"
_SCRIPTS: Final = {
    "Hani": Script("Chinese and Japanese", "一", "Noto Sans SC, TC or JP"),
    "Hira": Script("Japanese", "あ", _JAPANESE),
    "Kana": Script("Japanese", "ア", _JAPANESE),
    "Hang": Script("Korean", "가", "Noto Sans KR"),
    "Arab": Script("Arabic", "ا", "Amiri or Noto Naskh Arabic, for Urdu Noto Nastaliq Urdu"),
    "Hebr": Script("Hebrew", "א", "Noto Sans Hebrew"),
    "Thai": Script("Thai", "ก", "Noto Sans Thai"),
    "Deva": Script("Devanagari", "अ", "Noto Sans Devanagari"),
    "Beng": Script("Bengali", "অ", "Noto Sans Bengali"),
    "Taml": Script("Tamil", "அ", "Noto Sans Tamil"),
    "Telu": Script("Telugu", "అ", "Noto Sans Telugu"),
    "Armn": Script("Armenian", "Ա", "Noto Sans Armenian"),
    "Geor": Script("Georgian", "ა", "Noto Sans Georgian"),
    "Ethi": Script("Ethiopic", "አ", "Noto Sans Ethiopic"),
    "Khmr": Script("Khmer", "ក", "Noto Sans Khmer"),
    "Cyrl": Script("Cyrillic", "а", "Noto Sans"),
    "Grek": Script("Greek", "α", "Noto Sans"),
}
_EMOJI: Final = Script("emoji", "😀", "Noto Color Emoji")
_FIRST_EMOJI: Final = 0x1F000
_EARLIER_EMOJI: Final = frozenset(
    "⌚⌛⌨⏏⏩⏪⏫⏬⏭⏮⏯⏰⏱⏲⏳⏸⏹⏺☀☁☂☃☄☎☑☔☕☘☝☠☢☣☦☪☮☯☸☹☺♀♂♈♉♊♋♌♍♎♏♐♑♒♓♟♠♣♥♦♨♻♾♿⚒⚓⚔⚕⚖⚗⚙⚛⚜⚠⚡⚧⚪⚫"
    "⚰⚱⚽⚾⛄⛅⛈⛎⛏⛑⛓⛔⛩⛪⛰⛱⛲⛳⛴⛵⛷⛸⛹⛺⛽✂✅✈✉✊✋✌✍✏✒✔✖✝✡✨✳✴❄❇❌❎❓❔❕❗❣❤➕➖➗➡➰➿⬅⬆⬇⬛⬜⭐⭕\u20e3"
)
"""Emoji below that (emoji-data.txt), and the frame of a keycap."""


def letter_script(char: str) -> Script | None:
    """Return the script of a letter or an emoji; None for other characters."""
    is_late = ord(char) >= _FIRST_EMOJI and unicodedata.category(char) == "So"
    if is_late or char in _EARLIER_EMOJI:
        return _EMOJI
    return _SCRIPTS.get(unicodedata.script(char))
