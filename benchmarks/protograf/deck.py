"""The deck of benchmarks/deck.py as a protograf user would write it."""

import json
from pathlib import Path

from protograf import *  # the way protograf is used

rows = json.loads(Path("deck.json").read_text(encoding="utf-8"))
Create(filename="deck.pdf", paper="A4", units="mm", margin=10)
Deck(cards=len(rows), width=63, height=88, grid_marks=True, grid_marks_length=6)

for number, row in enumerate(rows, start=1):
    hue = row["hue"]
    parts = [
        Image(row["picture"], x=0, y=0, width=63, height=88),
        Rectangle(x=3, y=3, width=57, height=82, rounding=2, stroke=hue, fill=None),
        Rectangle(x=4, y=4, width=55, height=8, rounding=1, fill="#f4ead4"),
        Text(text=row["title"], x=31.5, y=9.6, font_size=12),
        Rectangle(x=4, y=30, width=55, height=37, rounding=1, fill="#ffffff"),
        Text(text=row["text"], x=6, y=31, width=51, height=35, font_size=8, html=True),
    ]
    for x in (5, 14, 23):
        parts.append(Circle(cx=x + 3.5, cy=17.5, radius=2, fill=hue))
        parts.append(Rectangle(x=x + 2.9, y=14.3, width=1.2, height=6.4, fill=hue))
        parts.append(Rectangle(x=x + 0.3, y=16.9, width=6.4, height=1.2, fill=hue))
    for i in range(8):
        parts.append(Rectangle(x=5.5 + 6.6 * i, y=70, width=5.8, height=5.8, fill="#f4ead4"))
        parts.append(Text(text=str(i + 1), x=8.4 + 6.6 * i, y=74, font_size=9))
    for i in range(10):
        fill = "#ffffff" if i < row["pips"] else hue
        parts.append(Circle(cx=6 + 5.6 * i, cy=80, radius=1.6, fill=fill))
    Card(str(number), *parts)
Save()
