from generator.diagnostics import Diagnostic, Severity, Span, warning
from generator.render.deck import merged_findings
from generator.render.face_builder import FaceDiagnostic

LINE = Span("card.svg.j2", 4, 2)


def finding(face: str, message: str = "no", topic: str = "") -> FaceDiagnostic:
    return FaceDiagnostic(warning(LINE, "GP404", message), face, LINE, topic)


def test_a_fault_of_a_template_is_told_once_with_its_first_face() -> None:
    told = merged_findings([finding("the front of 'b'"), finding("the front of 'a'")])
    assert [d.message for d in told] == ["no (the front of 'b' and 1 more)"]


def test_findings_of_one_topic_are_one_fault() -> None:
    told = merged_findings([finding("a", "2 mm", "body"), finding("b", "3 mm", "body")])
    assert [d.message for d in told] == ["2 mm (a and 1 more)"]


def test_an_error_is_not_hidden_by_a_warning_of_the_same_topic() -> None:
    """One style may print a little too small on one face, and far too small on the next."""
    worse = FaceDiagnostic(Diagnostic(LINE, "GP404", "no"), "b", LINE, "body")
    told = merged_findings([finding("a", topic="body"), worse])
    assert {(d.message, d.severity) for d in told} == {
        ("no (a)", Severity.WARNING),
        ("no (b)", Severity.ERROR),
    }


def test_a_fault_of_a_value_is_told_as_it_is_at_each_place() -> None:
    one, two = (Diagnostic(Span("cards.yaml", line), "GP401", "too long") for line in (3, 4))
    told = merged_findings(
        [FaceDiagnostic(two, "a"), FaceDiagnostic(one, "b"), FaceDiagnostic(two, "c")]
    )
    assert told == (one, two)
