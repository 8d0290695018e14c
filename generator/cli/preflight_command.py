"""`gridpress preflight`: a finished PDF in, findings out."""

from __future__ import annotations

import json
from pathlib import Path

import click

from generator.cli import options, report
from generator.cli.progress import progress_bar
from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.preflight import Build, Report, preflight
from generator.workers import collect_seldom


@click.command("preflight")
@click.argument("pdf", type=click.Path(path_type=Path))
@click.option(
    "--manifest",
    type=click.Path(path_type=Path),
    help="The build's manifest; by default the manifest.json beside the PDF.",
)
@click.option(
    "--report",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder for preflight.html with a picture of each fault, and the same as JSON and text.",
)
@options.format_
@options.jobs
@options.strict
def command(
    pdf: Path, manifest: Path | None, folder: Path | None, format_: str, jobs: int, strict: bool
) -> int:
    """Check a finished PDF before the ink is spent: sizes, places, fonts, backs behind fronts,
    text, pictures, colours, counts.
    """
    collect_seldom()
    with progress_bar(pdf.name) as progress:
        checked = preflight(
            pdf, manifest, jobs, lambda done, total: progress("checking", done, total)
        )
    if folder is not None:
        from generator.preflight import write_report  # takes long to import

        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_report(Build((checked,)), pdf.name, folder)
        except OSError as error:
            message, hint = f"cannot be written: {error.strerror}", "choose another with --report"
            raise GridpressError(Diagnostic(Span(str(folder)), "GP702", message, hint)) from error
    if format_ == "json":
        click.echo(json.dumps(_listed(checked), ensure_ascii=False, indent=2))
    else:
        report.show(checked.diagnostics)
        click.echo(f"{pdf}: {report.summary(checked.diagnostics)}")
    return int(report.has_failed(checked.diagnostics, strict))


def _listed(checked: Report) -> list[dict[str, object]]:
    """The findings with the fields of a diagnostic, and the page, place and component of each."""
    faults = [{**fault.as_dict()} for fault in checked.faults]
    return faults + [
        {**finding.diagnostic(str(checked.file)).as_dict(), **finding.as_dict()}
        for finding in checked.findings
    ]
