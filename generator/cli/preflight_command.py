"""`gridpress preflight`: a finished PDF in, findings out."""

from __future__ import annotations

from pathlib import Path

import click
from msgspec.structs import replace

from generator.cache import Cache
from generator.cli import OUR_BUG, options, terminal
from generator.cli.crash import tell_of_bugs
from generator.cli.progress import progress_bar
from generator.diagnostics import GridpressError
from generator.export import tidy
from generator.model.catalogue import Catalogue, PdfProfile
from generator.preflight import Build, Report, preflight
from generator.project import Project, project_here
from generator.realfolder import TargetFolder
from generator.writing import write_files


@click.command("preflight")
@click.argument("pdf", type=click.Path(path_type=Path))
@click.option(
    "--manifest",
    type=click.Path(path_type=Path),
    help="The build's manifest; by default the one beside the PDF.",
)
@click.option(
    "--profile",
    metavar="NAME",
    help="Who is to print it, of pdf_profiles.yaml, such as drivethru, tgc, mpc, press-eu or home:"
    " tells what is refused there.",
)
@click.option(
    "--report",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder for preflight.html with a picture of each fault, and the same as JSON and text.",
)
@click.option(
    "--second-eye",
    is_flag=True,
    help="Draw the pages with poppler, MuPDF and Ghostscript as well, as many of them as are"
    " installed, and tell where they look otherwise.",
)
@options.format_
@options.jobs
@options.cache
@options.strict
def command(
    pdf: Path,
    manifest: Path | None,
    profile: str | None,
    folder: Path | None,
    second_eye: bool,
    format_: str,
    jobs: int,
    cache: Cache,
    strict: bool,
) -> int:
    """Check a finished PDF before the ink is spent: sizes, places, fonts, backs behind fronts,
    text, pictures, colours, counts.
    """
    wanted = None if profile is None else _profile_named(profile)
    tidy(TargetFolder(pdf.parent))
    with progress_bar(pdf.name) as progress:
        checked = preflight(
            pdf,
            manifest,
            jobs,
            lambda done, total: progress("checking", done, total),
            cache=cache,
            profile=wanted,
            printed_on=_printed_on,
        )
    if second_eye:
        checked = _seen_twice(checked)
    if folder is not None:
        from generator.preflight import report_texts  # takes long to import

        texts = report_texts(Build((checked,)), pdf.name)
        files = {folder / name: text for name, text in texts.items()}
        write_files(folder, files, "choose another folder with --report")
    if format_ == "json":
        terminal.say_json(_listed(checked))
    else:
        terminal.show(checked.diagnostics)
        terminal.say(f"{pdf}: {terminal.summary(checked.diagnostics)}")
    if tell_of_bugs(checked.diagnostics):
        return OUR_BUG
    return int(terminal.has_failed(checked.diagnostics, strict))


def _printed_on(pack: str) -> Catalogue | None:
    """The papers and sheets of labels that a pack of here prints on; None of a pack that is not
    here, or where their files have faults."""
    from generator.print_runs import Standing  # takes long to import

    project = project_here()
    if pack not in (*project.packs(), *Project(project.shipped, project.shipped).packs()):
        return None
    known = Standing().catalogue(project)
    return known.value if known.ok else None


def _profile_named(name: str) -> PdfProfile:
    """The profile of a name. Usage: there is none. Raises GridpressError for one with a fault."""
    from generator.outlets import pdf_profiles_of  # takes long to import

    profiles = pdf_profiles_of(project_here())
    if not profiles.ok:
        raise GridpressError(*profiles.diagnostics)
    if name not in profiles.value:
        known = ", ".join(profiles.value)
        raise click.UsageError(f"--profile: there is no {name!r}; there are {known}")
    return profiles.value[name]


def _seen_twice(checked: Report) -> Report:
    """What was found, and what other programs draw otherwise. Usage: none is installed."""
    from generator.preflight import second_programs, seen_otherwise  # seldom asked for

    programs = second_programs()
    if not programs:
        message = (
            "--second-eye needs poppler (pdftoppm), MuPDF (mutool, or pip install pymupdf) or"
            " Ghostscript (gs), and none is installed"
        )
        raise click.UsageError(message)
    if checked.faults:
        return checked
    found = [finding for each in programs for finding in seen_otherwise(checked.file, each)]
    titles = (f"{program.name} draws every page as PDFium does" for program in programs)
    return replace(checked, findings=(*checked.findings, *found), checks=(*checked.checks, *titles))


def _listed(checked: Report) -> list[dict[str, object]]:
    """The findings with the fields of a diagnostic, and the page, place and component of each."""
    faults = [{**fault.as_dict()} for fault in checked.faults]
    return faults + [
        {**finding.diagnostic(str(checked.file)).as_dict(), **finding.as_dict()}
        for finding in checked.findings
    ]
