"""Results of `gridpress vehicle simulate --format json` in, one table of all of them out.

    python benchmarks/balance.py oval.json fox-earth.json three-corners.json

A win ratio is a vehicle's share of wins over its fair share, with its 95 % interval.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

Estimate = dict[str, float]


def main() -> None:
    results = [json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]
    names = [one["vehicle"] for one in results[0]["vehicles"]]
    found = [{one["vehicle"]: one for one in result["vehicles"]} for result in results]
    print("| vehicle | " + " | ".join(result["track"] for result in results) + " |")
    print("|---|" + "---|" * len(results))
    for name in names:
        print(f"| {name} | " + " | ".join(_cell(vehicles[name]) for vehicles in found) + " |")


def _cell(summary: dict[str, Any]) -> str:
    """Win ratio, mean rounds of those that finished, share wiped out."""
    fair, wins = summary["fair_share"], summary["wins"]
    ratio, low, high = (wins[end] / fair for end in ("value", "low", "high"))
    rounds = summary["rounds"]["value"] if summary["rounds"] else float("nan")
    return (
        f"**{ratio:.2f}** ({low:.2f}–{high:.2f}), {rounds:.1f} rounds, "
        f"{summary['wiped_out']['value']:.0%} wiped out"
    )


if __name__ == "__main__":
    main()
