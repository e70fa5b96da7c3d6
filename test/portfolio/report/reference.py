"""States what reports mean, from docs/report.md and docs/reference/checks.md, independently of the program.

Reads a list of documents per line, as `carbon watch --json` prints them, and writes the statements
of their report. Figures are exact decimals (Fraction), as they are written.
"""

import json
import math
import sys
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from figure_rules import (
    METHODS,
    differ,
    discloses,
    figure,
    has_wrong_parts,
    has_wrong_total,
    is_negative,
    is_number,
    is_zero,
    scope,
    scope_totals,
    scope_two,
    total,
)

THIS_YEAR = 2025
def both(performance):
    one, two, joint = (figure(performance, name) for name in ("scope_1", "scope_2", "scope_1_and_2"))
    if one is None or two is None:
        return joint and joint[1]
    return joint[1] if joint is not None and joint[0] <= two[0] else one[1] + two[1]


def is_other_unit(performance):
    revenue = performance.get("revenue")
    if not is_number(revenue) or revenue <= 0:
        return False
    one = figure(performance, "scope_1")
    joint = scope_totals(performance, "scope_1_and_2")
    sums = joint or [one[1] + each for each in scope_two(performance) if one]
    for name, amounts in (
        ("emission_factor", [total(performance)]),
        ("scope_1_and_2_emission_factor", sums),
    ):
        factor = performance.get(name)
        if not is_number(factor) or factor <= 0:
            continue
        ratios = [Fraction(factor * revenue) / each for each in amounts if each]
        nearest = min(ratios, key=lambda ratio: max(ratio, 1 / ratio), default=1)
        if differ(nearest, 1, Fraction(1, 20)):
            powers = [Fraction(1000) ** power for power in (-2, -1, 1, 2)]
            return any(abs(nearest / power - 1) <= Fraction(1, 20) for power in powers)
    return False


def is_wrong(performance):
    if not 1990 <= performance["year"] <= THIS_YEAR or is_negative(performance) or is_zero(performance):
        return True
    return has_wrong_parts(performance) or has_wrong_total(performance) or is_other_unit(performance)


class Company:
    def __init__(self, document, order):
        self.record = document.get("record", document)
        self.time = document.get("retrieved_at")
        self.order = order
        performances = [each for each in self.record["performances"] if 1900 <= each["year"] <= 2200]
        self.wrong = {each["year"] for each in performances if is_wrong(each)}
        self.disclosed = [each for each in performances if discloses(each)]
        self.years = {each["year"] for each in self.disclosed}
        match = self.record["matching_organization"]
        # Without a match, an organization shares none with another one.
        self.match = match["id"] if match else f"none of {self.record['id']}"
        names = [match["name"], *(each["value"] for each in match["names"])] if match else []
        self.is_alias = self.record["name"] in names

    def choose(self, performances):
        for wanted in ("GLOBAL", self.record["hq_region"]):
            for each in performances:
                if each["region"] == wanted:
                    return each
        return performances[0] if performances else None

    def value(self, year):
        own = self.choose([each for each in self.disclosed if each["year"] == year])
        return None if own is None or year in self.wrong else both(own)

    def run(self, years):
        """Returns scopes 1 and 2 of several years from the same figures of one region."""
        if any(year in self.wrong for year in years):
            return None
        of = lambda year: [each for each in self.disclosed if each["year"] == year]
        common = [
            each
            for each in of(years[-1])
            if all(any(other["region"] == each["region"] for other in of(year)) for year in years)
        ]
        chosen = self.choose(common)
        if chosen is None:
            return None
        own = [next(each for each in of(year) if each["region"] == chosen["region"]) for year in years]

        def every(name, method):
            found = [scope(each, name).get(method) for each in own]
            return None if None in found else found

        for method in METHODS:
            joint = every("scope_1_and_2", method)
            if joint:
                return joint
            one = every("scope_1", "total") or every("scope_1", "sum")
            two = every("scope_2", method)
            if one and two:
                return [a + b for a, b in zip(one, two)]
        return None

    def newest_year(self):
        """Returns the newest year with a figure of scope 1 or 2, also one that cannot be right."""
        for year in sorted(self.years, reverse=True):
            own = self.choose([each for each in self.disclosed if each["year"] == year])
            if any(figure(own, name) for name in ("scope_1", "scope_2", "scope_1_and_2")):
                return year
        return None

    def newest_both(self):
        """Returns the newest year with scopes 1 and 2, also one that cannot be right."""
        for year in sorted(self.years, reverse=True):
            if both(self.choose([each for each in self.disclosed if each["year"] == year])) is not None:
                return year
        return None

    def latest_both(self, counted):
        """Returns the latest scopes 1 and 2 that a sum counts."""
        if self not in counted:
            return None
        values = (self.value(year) for year in sorted(self.years, reverse=True))
        return next((value for value in values if value is not None), None)

    def target(self):
        sbti, status = self.record["sbti"], self.record["status"]
        if sbti is None:
            return "unknown"
        if sbti["data"]:
            near = max(sbti["data"], key=lambda each: each.get("created_at", ""))["near_term"]
            word = near.get("target_status", "with_target")
        else:
            word = "none"
        if word == "none":
            return "none" if status == "synced" else "unknown"
        return "removed" if word == "Commitment removed" else word


def half_up(value):
    return math.floor(value + Fraction(1, 2))


def percent(part, whole):
    if part <= 0:
        return "0%"
    rounded = half_up(Fraction(100 * part) / whole)
    return "<1%" if rounded == 0 else ">99%" if rounded == 100 and float(Fraction(part) / whole) < 1 else f"{rounded}%"


def companies(number):
    return "1 company" if number == 1 else f"{number:,} companies"


def verb(number, one, several):
    return one if number == 1 else several


def counted_of(all_):
    shared = [each.match for each in all_]
    for each in all_:
        each.is_other = shared.count(each.match) > 1 and not each.is_alias
    newest = {}
    certain = [each for each in all_ if not each.is_other]
    for each in certain:
        if each.years - each.wrong:
            known = newest.get(each.match)
            is_older = known and each.time and known.time and each.time < known.time
            newest[each.match] = known if is_older else each
    return [each for each in certain if not each.years - each.wrong or newest[each.match] is each]


def statements_of(all_):
    of = len(all_)
    counted = counted_of(all_)
    result = []
    state = lambda rule, text, base, **more: result.append({"rule": rule, "text": text, "base": base, "of": of, **more})

    counts = {}
    for each in counted:
        for year in each.years:
            if each.value(year) is not None:
                counts[year] = counts.get(year, 0) + 1
    wanted = [year for year in counts if 2 * counts[year] >= of]
    wanted = wanted or [year for year in counts if 2 * counts[year] >= max(counts.values())]
    since = None
    if wanted:
        year = max(wanted)
        members = [(each, each.value(year)) for each in counted if each.value(year) is not None]
        since = state_trend(counted, members, year, of, state)
        state_members(members, year, of, state)
    if not result:
        disclosing = sum(1 for each in all_ if not each.is_other and each.years - each.wrong)
        if of == 1:
            text = f"1 company, which discloses {'' if disclosing else 'no '}emissions"
        else:
            some = "none" if not disclosing else "all" if disclosing == of else f"{disclosing}"
            text = f"{companies(of)}, {some} of them {'disclose' if disclosing > 1 else 'discloses'} emissions"
        state("count", text, of, disclosing=disclosing)
    state_missing(all_, counted, since, of, state, max(wanted) if wanted else None)
    left = [each for each in all_ if (each.years if each.is_other else each.years & each.wrong)]
    if left:
        names = ", ".join(each.record["name"] for each in left[:3])
        more = f" and {len(left) - 3} more" if len(left) > 3 else ""
        whose = "company whose record" if len(left) == 1 else "companies whose records"
        state("errors", f"Left out: {len(left)} {whose} cannot be right, {names}{more} (carbon check)", of, left_out=len(left))
    return result


def state_trend(counted, members, year, of, state):
    """States the change, and returns the first year that is compared."""
    runs = []
    for length in (3, 2):
        years = list(range(year - length + 1, year + 1))
        values = [run for run in (each.run(years) for each in counted) if run]
        if values:
            runs.append((years, values))
    for whole in (of, len(members)):
        for years, values in runs:
            if 2 * len(values) < whole:
                continue
            if 2 * len(values) < of:
                return years[0]
            before, after = (sum(run[at] for run in values) for at in (-2, -1))
            if not before:
                return years[0]
            change = Fraction(after) / before - 1
            tenths = half_up(abs(1000 * change))
            size = f"{tenths / 10:.1f}" if tenths < 10_000 else f"{half_up(abs(100 * change)):,}"
            size = ">1,000,000" if tenths >= 10**7 else size
            moved = f"{'rose' if change > 0 else 'fell'} {size}%" if tenths else "did not change"
            who = f"{companies(len(values))} that {verb(len(values), 'discloses', 'disclose')}"
            list_ = ", ".join(map(str, years[:-1])) + f" and {years[-1]}"
            number = len(values)
            rose, fell = sum(run[-1] > run[-2] for run in values), sum(run[-1] < run[-2] for run in values)
            kinds = (("rose", rose), ("fell", fell), ("unchanged", number - rose - fell))
            said = ", ".join(f"{'all' if n == number else f'{n:,}'} {word}" for word, n in kinds if n)
            breadth = f": {said}" if number > 1 else ""
            rises = sorted((run[-1] - run[-2] for run in values if run[-1] > run[-2]), reverse=True)
            net = Fraction(after) - Fraction(before)
            most = {}
            if tenths and net > 0:
                n = next(at for at in range(1, len(rises) + 1) if 2 * sum(rises[:at]) >= net)
                if 2 * n < rose:
                    part = sum(rises[:n])
                    breadth += f"; {n:,} made {percent(part, net)} of the net rise"
                    most = {"made_most": n, "of_rise": float(part / net)}
            text = f"Scope 1 and 2 {moved} since {years[-2]} (the {who} both scopes in {list_}{breadth})"
            more = {"change": float(change), "from": years[-2], "to": years[-1], "rose": rose, "fell": fell, **most}
            state("trend", text, number, **more)
            return years[0]
    return year


def state_members(members, year, of, state):
    base = len(members)
    whole = sum(value for _, value in members)
    is_named = False
    if whole <= 0:
        return
    values = sorted((value for _, value in members), reverse=True)
    number = next(at for at in range(1, base + 1) if 3 * sum(values[:at]) >= 2 * whole)
    if number < base and 2 * base >= of:
        is_named = True
        part = percent(sum(values[:number]), whole)
        part = "two thirds" if part == "67%" else part
        make = verb(number, "makes", "make")
        text = f"{number:,} of the {companies(base)} that disclose scope 1 and 2 for {year} {make} up {part} of these emissions"
        state("concentration", text, base, organizations=number, share=float(Fraction(sum(values[:number])) / whole), year=year)
    known = sum(1 for each, _ in members if each.target() != "unknown")
    if 2 * known < of:
        return
    set_, removed = (sum(value for each, value in members if each.target() == word) for word in ("set", "removed"))
    disclose = verb(base, "discloses", "disclose")
    whose = f"these {base}" if is_named else f"the {companies(base)} that {disclose} scope 1 and 2 for {year}"
    others = f", {percent(removed, whole)} from companies whose target or commitment was removed at any time" if removed else ""
    text = f"{percent(set_, whole)} of the emissions of {whose} are from companies with a validated near-term target{others}"
    state("targets", text, known, set=float(Fraction(set_) / whole), removed=float(Fraction(removed) / whole), year=year)


def has_text(value):
    if isinstance(value, dict):
        return any(has_text(member) for member in value.values())
    return isinstance(value, str)


def state_missing(all_, counted, since, of, state, latest):
    silent = [each for each in all_ if not each.years]
    # A text instead of a figure is no missing one.
    silent = [e for e in silent if not any(has_text(p["emissions"]) for p in e.record["performances"])]

    def kind(each):
        is_matched = each.record["matching_organization"] is not None
        ended = "none" if is_matched else "unmatched"
        return {"synced": ended, "errored": "failed"}.get(each.record["status"], "open")

    def is_old(each):
        year = each.newest_year()
        is_ended = each.record["status"] in ("synced", "errored")
        return is_ended and None not in (year, since) and year < since

    groups = {key: [each for each in silent if kind(each) == key] for key in ("none", "unmatched", "open", "failed")}
    old = [each for each in all_ if is_old(each)]

    def is_incomplete(each):
        year = each.newest_both()
        is_ended = each.record["status"] in ("synced", "errored")
        return each.years and is_ended and each not in old and (year is None or (since is not None and year < since))

    incomplete = [each for each in all_ if is_incomplete(each)]
    def is_open(each):
        year = each.newest_both()
        is_lacking = year is None or (since is not None and year < since)
        return each.years and is_lacking and each.record["status"] not in ("synced", "errored")

    groups["open"] = groups["open"] + [each for each in all_ if is_open(each)]
    groups = {"none": groups.pop("none"), "old": old, "incomplete": incomplete, **groups}
    what = {
        "none": lambda n: "without emissions in the record",
        "old": lambda n: f"with figures up to {max(e.newest_year() for e in old)} only",
        "incomplete": lambda n: "with incomplete figures",
        "unmatched": lambda n: "not matched",
        "open": lambda n: "in research",
        "failed": lambda n: "with failed research",
    }

    def emissions(key):
        known = [value for value in (each.latest_both(counted) for each in groups[key]) if value is not None]
        return sum(known) if known else -1

    keys = sorted((key for key in groups if groups[key]), key=lambda key: (-len(groups[key]), -emissions(key)))
    if not keys:
        return
    parts = ", ".join(f"{len(groups[key])} {what[key](len(groups[key]))}" for key in keys)
    number = sum(len(groups[key]) for key in keys)
    since_when = "" if since is None else f" for {since} or later"
    text = f"{number} of {companies(of)} {verb(number, 'has', 'have')} no scope 1 and 2{since_when}: {parts}"
    json_names = {"none": "no_emissions", "open": "in_progress"}
    numbers = {json_names.get(key, key): len(groups[key]) for key in groups}
    state("missing", text, of, since=since, **numbers)


for line in sys.stdin:
    documents = json.loads(line, parse_float=Fraction)
    print(json.dumps(statements_of([Company(each, order) for order, each in enumerate(documents)])))
