import hashlib
import json
from pathlib import Path

STUDIO = Path(__file__).parents[2] / "generator" / "studio"
BUNDLES = STUDIO / "static" / "vendor"


def test_bundles_are_the_files_that_the_script_made():
    lines = (BUNDLES / "SHA256SUMS").read_text().splitlines()
    said = {name: digest for digest, name in (line.split("  ") for line in lines)}
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in BUNDLES.iterdir()
        if path.name != "SHA256SUMS"
    }
    assert found == said


def test_the_licence_of_every_package_in_use_is_shipped():
    package = json.loads((STUDIO / "vendor" / "package.json").read_text())
    licences = (BUNDLES / "LICENCES.txt").read_text()
    missing = [
        name
        for name, version in package["dependencies"].items()
        if f"{name} {version} (" not in licences
    ]
    assert not missing
