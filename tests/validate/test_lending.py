"""What several required packs lend at once."""

from generator.geometry import Size
from generator.model.stock import Stock
from generator.validate.lending import Loan, together

NEAR = Loan(stocks={"card": Stock("card", Size(63, 88))}, options={"laps": 3}, words={"Whip": "a"})
FAR = Loan(
    stocks={"card": Stock("card", Size(41, 63)), "chip": Stock("chip", Size(20, 20))},
    options={"laps": 5, "truce": True},
    words={"Whip": "b", "Reins": "b"},
    complete=False,
)


def test_of_two_of_one_name_the_first_counts() -> None:
    lent = together([NEAR, FAR])
    assert lent.stocks == {"card": NEAR.stocks["card"], "chip": FAR.stocks["chip"]}
    assert lent.options == {"laps": 3, "truce": True}
    assert lent.words == {"Whip": "a", "Reins": "b"}


def test_a_loan_is_complete_only_if_all_are() -> None:
    assert together([NEAR, NEAR]).complete
    assert not together([FAR, NEAR]).complete
    assert not together([NEAR, FAR]).complete
