"""`gridpress preflight`: a finished PDF in, findings out."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import options, report
from generator.preflight import preflight


@click.command("preflight")
@click.argument("pdf", type=click.Path(path_type=Path))
@click.option(
    "--manifest",
    type=click.Path(path_type=Path),
    help="The build's manifest; by default the manifest.json beside the PDF.",
)
@options.format_
@options.strict
def command(pdf: Path, manifest: Path | None, format_: str, strict: bool) -> int:
    """Check a finished PDF before the ink is spent: sizes, places, fonts, backs behind fronts."""
    diagnostics = preflight(pdf, manifest).diagnostics
    if format_ == "json":
        report.show_json(diagnostics)
    else:
        report.show(diagnostics)
        click.echo(f"{pdf}: {report.summary(diagnostics)}")
    return int(report.has_failed(diagnostics, strict))
