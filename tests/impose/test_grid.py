from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.impose.page_layout import (
    FAIR_MARK,
    FOLD_CLEARANCE,
    LEAST_BLEED,
    LEAST_MARK,
    AxisExtent,
    before_fold,
    centred,
)

lengths = st.floats(5, 400)
bleeds = st.floats(0, 6)
gutters = st.none() | st.floats(0, 20)


@given(lengths, st.floats(20, 420), bleeds, gutters, st.sampled_from([0.0, 4.0]))
def test_a_centred_run_is_in_the_middle_and_inside_the_margins(
    trim: float, page: float, bleed: float, gutter: float | None, band: float
) -> None:
    run = centred(page, 5, AxisExtent(trim, bleed, gutter), band)
    if run is None:
        return
    first, *_ = spans = run.spans()
    last = spans[-1]
    assert first[0] - first[1] >= 5 + band - 1e-6
    assert last[0] + trim + last[2] <= page - 5 - band + 1e-6
    assert first[0] + last[0] + trim == pytest.approx(page)
    for (start, _, after), (following, before, _) in pairwise(spans):
        assert after + before <= following - start - trim + 1e-6


@given(lengths, st.floats(20, 420), bleeds, gutters, st.sampled_from([0.0, 4.0]))
def test_a_folded_run_ends_before_the_fold(
    trim: float, page: float, bleed: float, gutter: float | None, band: float
) -> None:
    run = before_fold(page, 5, AxisExtent(trim, bleed, gutter), band)
    if run is None:
        return
    first, last = run.spans()[0], run.spans()[-1]
    assert first[0] - first[1] >= 5 + band - 1e-6
    assert last[0] + trim + last[2] == pytest.approx(page / 2 - FOLD_CLEARANCE)


@given(lengths, st.floats(20, 420), bleeds)
def test_one_more_never_fits(trim: float, page: float, bleed: float) -> None:
    run = centred(page, 5, AxisExtent(trim, bleed))
    least = min(bleed, LEAST_BLEED)
    if run is None:
        assert trim > page - 10
        return
    # The bleed narrows to fit one piece more, never two.
    full = (run.count + 1) * (trim + 2 * bleed) + 2 * LEAST_MARK
    assert full > page - 10 - 1e-6
    if run.shown > least + 1e-6 and run.inner == pytest.approx(bleed):
        assert (run.count + 1) * (trim + 2 * least) + 2 * LEAST_MARK > page - 10 - 1e-6


def test_a_set_gutter_is_kept() -> None:
    run = centred(210, 5, AxisExtent(63.5, 3, 0))
    assert run is not None
    assert (run.count, run.gap, run.inner) == (3, 0, 0)
    assert run.low == run.high == pytest.approx(3)


def test_a_narrow_gutter_is_shared_halfway() -> None:
    run = centred(210, 5, AxisExtent(50, 3, 4))
    assert run is not None
    assert run.inner == 2


def test_the_gutter_is_two_bleeds_where_there_is_room() -> None:
    run = centred(210, 5, AxisExtent(40, 3))
    assert run is not None
    assert (run.count, run.gap, run.inner) == (4, 6, 3)


def test_the_bleed_narrows_evenly_for_one_more() -> None:
    run = centred(210, 5, AxisExtent(63, 3))
    assert run is not None
    share = (200 - 3 * 63 - 2 * FAIR_MARK) / 6
    assert (run.count, run.gap) == (3, pytest.approx(2 * share))
    assert (run.low, run.inner) == (pytest.approx(share), pytest.approx(share))


def test_one_alone_may_take_all_the_room() -> None:
    assert centred(210, 5, AxisExtent(200, 3)) is not None
    assert centred(210, 5, AxisExtent(200, 3), band=4) is None
    assert centred(210, 5, AxisExtent(200.1, 3)) is None


def test_a_limit_is_kept() -> None:
    run = centred(210, 5, AxisExtent(20, 3), limit=1)
    assert run is not None
    assert run.count == 1
