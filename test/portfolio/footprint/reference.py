"""Recomputes footprints from docs/footprint-method.md, independently of the program.

Reads a JSON object per line: {"boundary", "upstream_factor", "rows", "records"}. Writes for each an
object with the line items and the headline, or {"exit": 2}. Sums are exact (Fraction), products and
quotients are those of doubles. For {"amounts"}, rows of a file, it writes which of them are totals;
for {"goal"}, the shares of suppliers with targets; for {"step"}, the effects of a comparison.
"""

import json
import math
import sys
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from figure_rules import PARTS, has_wrong_parts, has_wrong_total, is_negative, is_zero

# The upstream categories are the first eight.
CATEGORIES = PARTS["scope_3"][:8]
MAX_AGE = 5
# The day of all goals.
TODAY = "2026-01-01"


def usable(value):
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value <= 1e100 else None


def positive(value):
    return usable(value) or None


def year_of(value):
    is_year = isinstance(value, int) and not isinstance(value, bool)
    return value if is_year and 1900 <= value <= 2200 else None


def first(section, *names):
    for name in names:
        value = usable((section or {}).get(name))
        if value is not None:
            return value
    return None


def scopes_1_and_2(emissions, by_location=False):
    methods = ["total_market_based", "total_location_based"]
    if by_location:
        methods.reverse()
    one = first(emissions.get("scope_1"), "total", "sum")
    two = first(emissions.get("scope_2"), *methods, "total", "sum")
    if one is not None and two is not None:
        return one + two
    return first(emissions.get("scope_1_and_2"), *methods, "total")


def upstream_of(emissions):
    scope_3 = emissions.get("scope_3") or {}
    if positive(scope_3.get(CATEGORIES[0])) is None:
        return None
    total = 0.0
    for name in CATEGORIES:
        total += usable(scope_3.get(name)) or 0.0
    return total


def total_of(emissions):
    total = usable(emissions.get("total"))
    if total is not None:
        return total
    scope_3 = first(emissions.get("scope_3"), "total", "sum")
    if scope_3 is None:
        scope_3 = upstream_of(emissions)
    if scopes_1_and_2(emissions) is None or scope_3 is None:
        return None
    return usable(emissions.get("sum"))


def own_emissions(performance, boundary, by_location=False):
    emissions = performance.get("emissions")
    if not emissions:
        return None
    if boundary == "total":
        return total_of(emissions)
    scopes = scopes_1_and_2(emissions, by_location)
    if boundary == "scope-1-2" or scopes is None:
        return scopes
    upstream = upstream_of(emissions)
    return None if upstream is None else scopes + upstream


def own_factor(performance, boundary, by_location=False):
    revenue = positive(performance.get("revenue"))
    amount = own_emissions(performance, boundary, by_location)
    return None if revenue is None or amount is None else usable(amount / revenue)


def service_factor(performance, boundary, reading):
    if boundary == "total":
        return positive(performance.get("emission_factor"))
    scopes = positive(performance.get("scope_1_and_2_emission_factor"))
    if boundary == "scope-1-2":
        return scopes
    upstream = positive(performance.get("total_upstream_emission_factor"))
    if reading == "nested" or upstream is None:
        return upstream
    return None if scopes is None else scopes + upstream


def performances(record):
    return record.get("performances") or []


def currency_reader(record):
    named = {p["revenue_currency"] for p in performances(record) if p.get("revenue_currency")}
    common = named.pop() if len(named) == 1 else None
    return lambda stated: stated or common


def shown_reading(record):
    shown = set()
    for performance in performances(record):
        factor = positive(performance.get("total_upstream_emission_factor"))
        revenue = positive(performance.get("revenue"))
        emissions = performance.get("emissions")
        upstream = upstream_of(emissions) if emissions else None
        if factor is None or revenue is None or upstream is None:
            continue
        one = first(emissions.get("scope_1"), "total", "sum")
        figures = []
        for name in ["total_market_based", "total_location_based", "total", "sum"]:
            two = usable((emissions.get("scope_2") or {}).get(name))
            if one is not None and two is not None:
                figures.append(one + two)
        for name in ["total_market_based", "total_location_based", "total"]:
            both = usable((emissions.get("scope_1_and_2") or {}).get(name))
            if both is not None:
                figures.append(both)
        if not figures or any(f == 0 or f < 0.03 * (f + upstream) for f in figures):
            continue
        agrees = lambda expected: abs(factor - expected) <= 0.01 * expected
        if agrees(upstream / revenue):
            shown.add("additive")
        elif any(agrees((f + upstream) / revenue) for f in figures):
            shown.add("nested")
    return shown.pop() if len(shown) == 1 else None


def unit_ratio(record):
    latest, ratio = -1, None
    for performance in performances(record):
        factor = positive(performance.get("emission_factor"))
        revenue = positive(performance.get("revenue"))
        amount = first(performance.get("emissions"), "total", "sum")
        year = year_of(performance.get("year")) or 0
        if factor is None or revenue is None or not amount or year <= latest:
            continue
        latest, ratio = year, factor * revenue / amount
    return ratio


def is_near(ratio, power):
    return abs(ratio / power - 1) <= 0.05


def known(section, *names):
    values = [(section or {}).get(name) for name in names]
    return [value for value in values if value is not None]


def differs_by_thousands(performance):
    """Whether a factor times revenue is a power of a thousand times the emissions."""
    revenue = positive(performance.get("revenue"))
    emissions = performance.get("emissions") or {}
    if revenue is None:
        return False
    totals = known(emissions, "total", "sum")[:1]
    methods = ["total", "total_market_based", "total_location_based"]
    both = known(emissions.get("scope_1_and_2"), *methods)
    one = known(emissions.get("scope_1"), "total", "sum")[:1]
    two = known(emissions.get("scope_2"), *methods)
    sums = both or [one[0] + each for each in two if one]
    for name, amounts in [
        ("emission_factor", totals),
        ("scope_1_and_2_emission_factor", sums),
    ]:
        factor = positive(performance.get(name))
        ratios = [factor * revenue / each for each in amounts if factor and each > 0]
        ratios = [ratio for ratio in ratios if ratio > 0 and math.isfinite(ratio)]
        if not ratios:
            continue
        ratio = min(ratios, key=lambda each: abs(math.log(each)))
        if abs(ratio - 1) > 0.05 * max(ratio, 1):
            return any(is_near(ratio, power) for power in (1e3, 1e-3, 1e6, 1e-6))
    return False


def match_doubt(record, name, shared):
    """Returns why the record of a name may be of another organization; names are plain words."""
    match = record["matching_organization"]
    names = [match["name"], *match["names"]]
    if name in names:
        return None
    if match["id"] in shared:
        return "match_shared"
    words = {word for each in names for word in each.split()}
    return None if words & set(name.split()) else "match_differs"


def doubt_about(record, choice, name, shared):
    """Returns why the figures of the year of a factor are not used."""
    basis, _, year, _ = choice
    doubt = match_doubt(record, name, shared)
    if doubt is not None or basis == "industry":
        return doubt
    own = [p for p in performances(record) if p.get("year") == year]
    rules = {
        "other_unit": differs_by_thousands,
        "sum_scope": has_wrong_parts,
        "sum_total": has_wrong_total,
        "negative": is_negative,
        "zero": is_zero,
    }
    return next((rule for rule, is_wrong in rules.items() if any(map(is_wrong, own))), None)


def choose(record, currency, year, boundary, reading, only=None):
    """Returns (basis, value, year, part of scopes 1 and 2), or a reason.

    With `only`, returns the value of another choice instead, or None: the factor of the service, of
    the industry, or own figures with location-based scope 2.
    """
    read = currency_reader(record)
    offers = [p for p in performances(record) if read(p.get("revenue_currency")) == currency]
    industry = (record.get("industry") or {}).get("performances") or []
    averages = []
    if boundary == "cradle-to-gate":
        averages = [
            a
            for a in industry
            if positive(a.get("emission_factor")) and read(a.get("revenue_currency")) == currency
        ]
    is_usable = lambda p: any(
        value is not None
        for value in [
            own_factor(p, boundary),
            service_factor(p, boundary, "additive"),
            service_factor(p, boundary, "nested"),
        ]
    )
    years = [year_of(p.get("year")) for p in [p for p in offers if is_usable(p)] + averages]
    years = [y for y in years if y is not None]
    reference = year if year is not None else max(years, default=None)
    too_old = lambda y: reference is not None and y is not None and reference - y > MAX_AGE

    def region_rank(candidate):
        region = (candidate.get("region") or "").lower()
        return 0 if region == "global" else 1 if region == record["hq_region"].lower() else 2

    def rank(candidate):
        known = year_of(candidate.get("year"))
        if known is None:
            return (1, 0, 0)
        return (0, abs((reference or known) - known), known > (reference or known))

    found = []
    for order, performance in enumerate(offers):
        if too_old(year_of(performance.get("year"))):
            continue
        own = own_factor(performance, boundary)
        service = service_factor(performance, boundary, reading)
        if own is not None and only != "service":
            revenue = positive(performance["revenue"])
            scopes = (scopes_1_and_2(performance["emissions"]) or 0.0) / revenue
            found.append((rank(performance), 0, region_rank(performance), order, "own", own, performance, scopes))
        if service is not None:
            found.append((rank(performance), 1, region_rank(performance), order, "service", service, performance, 0.0))
    if found and only != "industry":
        *_, basis, value, performance, scopes = min(found, key=lambda each: each[:4])
        if only == "service":
            return value
        if only == "location":
            return own_factor(performance, boundary, True) if basis == "own" else None
        return basis, value, year_of(performance.get("year")), scopes
    current = [a for a in averages if not too_old(year_of(a.get("year")))]
    if only == "industry":
        return positive(min(current, key=rank)["emission_factor"]) if current else None
    if only:
        return None
    if current:
        best = min(current, key=rank)
        return "industry", positive(best["emission_factor"]), year_of(best.get("year")), 0.0
    if any(too_old(y) for y in years):
        return "too_old"
    other = {read(p.get("revenue_currency")) for p in performances(record) if is_usable(p)}
    if boundary == "cradle-to-gate":
        other |= {
            read(a.get("revenue_currency")) for a in industry if positive(a.get("emission_factor"))
        }
    other.discard(currency)
    if other:
        return "other_currency" if other != {None} else "no_currency"
    status = record.get("status")
    if status and status not in ("synced", "errored"):
        return "in_progress"
    if not performances(record):
        return "errored" if status == "errored" else "no_performance"
    lacks_revenue = any(
        positive(p.get("revenue")) is None and own_emissions(p, boundary) is not None
        for p in performances(record)
    )
    return "no_revenue" if lacks_revenue else "no_factor"


def missing_of(record, year, boundary):
    """Returns what a record lacks for own figures of a year: year, scopes, categories, revenue."""
    if year is None:
        dated = [year_of(p.get("year")) for p in performances(record) if p.get("emissions")]
        year = max((y for y in dated if y is not None), default=None)
    of_year = [p for p in performances(record) if year_of(p.get("year")) == year]
    with_emissions = [p for p in of_year if p.get("emissions")] or of_year

    def region_rank(candidate):
        region = (candidate.get("region") or "").lower()
        return 0 if region == "global" else 1 if region == record["hq_region"].lower() else 2

    best = min(with_emissions, key=region_rank, default={})
    emissions = best.get("emissions") or {}
    scope_3 = emissions.get("scope_3") or {}
    lacks_revenue = positive(best.get("revenue")) is None
    if boundary == "total":
        has_none = total_of(emissions) is None
        return [year, has_none, "1 2 3 4 5 6 7 8" if has_none else "", lacks_revenue]
    lacks_scopes = scopes_1_and_2(emissions) is None
    if boundary == "scope-1-2" or upstream_of(emissions) is not None:
        return [year, lacks_scopes, "", lacks_revenue]
    lacking = [n for n, name in enumerate(CATEGORIES, 1) if usable(scope_3.get(name)) is None]
    numbers = sorted({1, *lacking})
    return [year, lacks_scopes, " ".join(map(str, numbers)), lacks_revenue]


LEAST_FAVORABLE_FIRST = ["removed", "none", "other", "with_target", "committed", "set"]


def status_of(records):
    """Returns the status of the records retrieved last; None if it is unknown."""
    known = []
    for record in records:
        if record.get("sbti") is None:
            continue
        status = record["sbti"]["data"][0] if record["sbti"]["data"] else "none"
        is_open = record.get("status") not in (None, "synced")
        if status != "none" or not is_open:
            known.append((record.get("retrieved_at"), status))
    last = max((time for time, _ in known if time is not None), default=None)
    statuses = [status for time, status in known if time is None or time == last]
    return min(statuses, key=LEAST_FAVORABLE_FIRST.index, default=None)


def targets_of(items, records, shared, whole):
    """Returns suppliers, emissions and spend by the status of the supplier."""
    for item in items:
        record = records.get(item["id"])
        item["doubt"] = record and match_doubt(record, item["name"], shared)
        item["match"] = record and record["matching_organization"]["id"]
    certain = [item for item in items if item["doubt"] is None]
    members = {}
    for item in certain:
        if item["match"] in shared:
            members.setdefault(item["match"], set()).add(item["id"])
    suppliers = {}
    for item in items:
        id_, match = item["id"], item.pop("match")
        key, of = ("id", id_), {id_}
        if item["doubt"] is None and len(members.get(match, ())) > 1:
            key, of = ("match", match), members[match]
        elif item["doubt"] is not None:
            of = set()
            if any(each["id"] == id_ for each in certain):
                key = ("apart", id_, item["name"])
        suppliers.setdefault(key, (of, []))[1].append(item)
        item["supplier"] = key
    found = {}
    for of, own in suppliers.values():
        status = status_of([records[id_] for id_ in of if id_ in records])
        for item in own:
            item["target"] = status
        counted = [item for item in own if item["excluded"] is None]
        if counted:
            word = "unknown" if status is None else "other" if status == "with_target" else status
            found.setdefault(word, []).append(counted)
    every = [item for all_ in found.values() for own in all_ for item in own]
    is_one_currency = len({item["currency"] for item in every}) == 1
    spend = total(item["exact"] for item in every)
    result = {}
    for status, all_ in found.items():
        own = [item for each in all_ for item in each]
        emissions = total(i["emissions"] for i in own if i["emissions"] is not None)
        result[status] = [
            len(all_),
            share(emissions, whole),
            share(total(i["exact"] for i in own), spend) if is_one_currency else None,
        ]
    return result


DOUBTS = ("match_differs", "match_shared", "other_unit", "sum_scope", "sum_total", "negative", "zero")
ORIGINS = {
    "own": "the suppliers' own records",
    "service": "the service's factors",
    "industry": "industry averages",
}


def half_up(value, places=0):
    return Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


def percent_of(part, whole):
    if part <= 0 or whole <= 0:
        return "0%"
    rounded = math.floor(Fraction(100 * part) / whole + Fraction(1, 2))
    return "<1%" if rounded == 0 else ">99%" if rounded == 100 and float(part / whole) < 1 else f"{rounded}%"


def in_words(value):
    size = abs(value)
    if size and not 1e-6 <= size < 1e15:
        digits, _, power = f"{value:.2e}".partition("e")
        return f"{digits}e{int(power):+d}"
    exponent = math.floor(math.log10(size)) if size else 0
    if 100 <= size < 999_999.5:
        return f"{half_up(value):,}"
    short = half_up(value, 2 - exponent)
    words = {6: "million", 9: "billion", 12: "trillion"}
    for power in (12, 9, 6):
        if size >= 999_999.5 and abs(short) >= Decimal(10) ** power:
            return f"{short.scaleb(-power).normalize():f} {words[power]}"
    return f"{short.normalize():f}"


def plural(number, noun):
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def named(key, rows, records):
    kind, id_, *name = key
    if kind == "apart":
        return name[0]
    if kind == "match":
        matches = [record["matching_organization"] for record in records.values()]
        return next(match["name"] for match in matches if match["id"] == id_)
    return next(row["name"] for row in rows if row["id"] == id_)


def statements_of(items, rows, records):
    """Returns what the footprint says; its unit is not declared."""
    counted = [item for item in items if item["excluded"] is None]
    covered = [item for item in counted if item["emissions"] is not None]
    of, base = (len({item["supplier"] for item in some}) for some in (counted, covered))
    result = []
    state = lambda rule, text, of_them, **more: result.append(
        {"rule": rule, "text": text, "base": of_them, "of": of, **more}
    )
    spends = {}
    for currency in sorted({item["currency"] for item in counted}):
        spends[currency] = [
            sum(item["exact"] for item in some if item["currency"] == currency)
            for some in (counted, covered)
        ]
    is_most = base and 2 * base >= of and all(2 * part >= whole for whole, part in spends.values())
    if not is_most:
        state("count", f"{plural(of, 'supplier')}, {base or 'none'} of them with emissions", of, covered=base)
    else:
        state_total(counted, covered, spends, of, base, state)
        state_origin(covered, base, state)
        state_largest(counted, covered, of, base, state)
        state_direction(counted, covered, base, state)
        state_sensitivity(items, covered, base, state)
    left = {}
    for item in counted:
        if item["uncovered"] in DOUBTS:
            left.setdefault(item["supplier"], named(item["supplier"], rows, records))
    if left:
        names = list(left.values())
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        whose = "1 company whose record" if len(names) == 1 else f"{len(names)} companies whose records"
        text = f"Left out: {whose} cannot be right, {', '.join(names[:3])}{more} (carbon check)"
        state("errors", text, of, left_out=len(names))
    return result


def state_total(counted, covered, spends, of, base, state):
    years, words, unknown = [], [], []
    all_years = sorted({item["year"] for item in counted}, key=lambda year: (year is None, year))
    for year in all_years:
        some = [item["emissions"] for item in covered if item["year"] == year]
        amount = total(some) if some else None
        years.append({"year": year, "emissions": amount})
        of_year = "without a year" if year is None else f"of {year}"
        if amount is None:
            unknown.append(of_year)
        else:
            words.append(in_words(amount) + (f" {of_year}" if year is None else f" in {year}"))
    joined = lambda some: " and ".join(filter(None, [", ".join(some[:-1]), some[-1]]))
    known = "" if len(covered) == len(counted) else "known "
    if len(all_years) == 1:
        text = f"Your purchases {of_year} caused {known}emissions of {in_words(amount)}"
    else:
        rest = f"; those {joined(unknown)} are unknown" if unknown else ""
        text = f"Your purchases caused {known}emissions of {joined(words)}{rest}"
    text += f". From {base} of {plural(of, 'supplier')}; "
    if len(covered) == len(counted):
        text += "all spend has emissions"
    else:
        shares = [f"{percent_of(part, whole)} of the {code} spend" for code, (whole, part) in spends.items()]
        text += f"{joined(shares)} {'has' if len(shares) == 1 else 'have'} emissions"
    spend = {code: {"total": float(whole), "covered": float(part)} for code, (whole, part) in spends.items()}
    state("total", text, base, unit=None, years=years, spend=spend)


def state_origin(covered, base, state):
    whole = sum(Fraction(item["emissions"]) for item in covered)
    shares = {}
    for basis in ORIGINS:
        part = sum(Fraction(item["emissions"]) for item in covered if item["basis"] == basis)
        # A share that no double can hold is none.
        if whole and float(part / whole):
            shares[basis] = part / whole
    if not shares or any(not 0 < part <= 1 for part in shares.values()):
        return
    parts = sorted(shares.items(), key=lambda each: -each[1])
    own = total(item["spend"] * item["scopes"] for item in covered if item["basis"] == "own")
    least = share(own, total(item["emissions"] for item in covered))

    def words_for(basis, part):
        most = percent_of(part, 1)
        low = most if least is None or basis != "own" else percent_of(least, 1)
        if low == most:
            return f"{most} from {ORIGINS[basis]}"
        if least == 0:
            return f"{most} from figures in {ORIGINS[basis]}, usually modeled"
        others = percent_of(part - least, 1)
        return f"{low} from scopes 1 and 2 in {ORIGINS[basis]}, {others} from other figures in them, usually modeled"

    text = ", ".join(words_for(basis, part) for basis, part in parts)
    if "industry" in shares:
        is_most = shares["industry"] >= Fraction(1, 2)
        use = (
            "Good for choosing whom to ask first, not for quoting"
            if is_most
            else "When quoting, say how much is estimated"
        )
        text = f"{use}: {text}"
    state("origin", text, base, **{basis: float(part) for basis, part in shares.items()})


def state_largest(counted, covered, of, base, state):
    amounts = {}
    for item in covered:
        amounts[item["supplier"]] = amounts.get(item["supplier"], 0) + Fraction(item["emissions"])
    values = sorted(amounts.values(), reverse=True)
    whole = sum(values)
    if len({item["year"] for item in counted}) > 1 or whole <= 0 or values[-1] < 0:
        return
    number = next(at for at in range(1, base + 1) if 3 * sum(values[:at]) >= 2 * whole)
    if number == base:
        return
    share_ = sum(values[:number]) / whole
    who = plural(of, "supplier") if base == of else f"the {plural(base, 'supplier')} with emissions"
    text = f"{number} of {who} {'makes' if number == 1 else 'make'} up {percent_of(share_, 1)} of the emissions"
    state("concentration", text, base, suppliers=number, share=float(share_))


def size_of(change):
    """Returns a change in percent without its sign; None if it rounds to nothing."""
    if abs(change) > 1e5:
        return ">1,000,000%"
    size = half_up(abs(change) * 100, 1)
    if size == 0:
        return None
    if size >= 10**6:
        return ">1,000,000%"
    return f"{size}%" if size < 1000 else f"{half_up(abs(change) * 100):,}%"


def state_direction(counted, covered, base, state):
    years = sorted({item["year"] for item in counted if item["year"] is not None})
    sums = [(year, [i["emissions"] for i in covered if i["year"] == year]) for year in years]
    known = [(year, total(some)) for year, some in sums if some][-2:]
    if len(known) < 2 or not known[0][1] > 0:
        return
    for year, _ in known:
        for currency in {item["currency"] for item in counted if item["year"] == year}:
            own = lambda some: sum(
                i["exact"] for i in some if i["year"] == year and i["currency"] == currency
            )
            if 2 * own(covered) < own(counted):
                return
    (before, first_), (after, last) = known
    change = (last - first_) / first_
    if not math.isfinite(change):
        return
    size = size_of(change)
    moved = "did not change" if size is None else f"{'rose' if change > 0 else 'fell'} {size}"
    text = f"Not to be quoted: emissions {moved} from {before} to {after}, including data changes (of method, data and coverage); to see the change without them, and why, add --compare {before} --year {after}"
    state("direction", text, base, **{"from": before, "to": after, "change": change, "change_without_data": None, "main_cause": None})


CHOICES = {
    "service factors": ("the service's factors", "them"),
    "industry averages": ("industry averages", "one"),
    "scope 2 location-based": ("location-based scope 2", "it"),
}
READINGS = {
    "additive": "did not contain scopes 1 and 2 (--upstream-factor additive)",
    "nested": "contained scopes 1 and 2 (--upstream-factor nested)",
}


def state_sensitivity(items, covered, base, state):
    whole = sum(total(i["emissions"] for i in covered if i["basis"] == basis) for basis in ORIGINS)
    if not whole > 0:
        return
    changes = []
    for at, choice in enumerate(CHOICES):
        if any(item["others"][at] != item["factor"] for item in covered):
            amount = total(item["spend"] * item["others"][at] for item in covered)
            changes.append((at, choice, amount / whole - 1))
    reading = next((item["reread"][0] for item in items if item["reread"]), None)
    was = lambda item: 0 if item["excluded"] else item["emissions"] or 0
    now = lambda item: item["reread"][1] if item["reread"] else was(item)
    if reading:
        changes.append((None, f"upstream factors {reading}", total(map(now, items)) / whole - 1))
    if not changes or not all(math.isfinite(change) for *_, change in changes):
        return
    at, choice, change = max(changes, key=lambda each: abs(each[2]))
    if abs(change) < 0.05:
        return
    if at is None:
        replaced = [item for item in items if now(item) != was(item)]
        before, after = total(map(was, replaced)), total(map(now, replaced))
        # The change of the total is that of these items.
        own_change = change * whole / before if before else math.inf
        way = "higher" if change > 0 else "lower"
        text = f"If the service's upstream factors {READINGS[reading]}, the total would be {size_of(change)} {way}: another choice of method, not an error margin"
        more = {"line_items": len(replaced), "replaced_change": own_change if math.isfinite(own_change) else None}
        return state("sensitivity", text, base, choice=choice, change=change, **more)
    replaced = [item for item in covered if item["others"][at] != item["factor"]]
    before = total(item["emissions"] for item in replaced)
    after = total(item["spend"] * item["others"][at] for item in replaced)
    own_change = after / before - 1 if before else math.inf
    (what, have), way = CHOICES[choice], "higher" if change > 0 else "lower"
    if len(replaced) == len(covered) or not before > 0 or not math.isfinite(own_change):
        text = f"With {what} wherever a record has {have}, the emissions would be {size_of(change)} {way}: another choice of method, not an error margin"
    else:
        names = {"own": "own figures", "service": "the service's factors"}
        found = {item["basis"] for item in replaced}
        from_ = " or ".join(name for basis, name in names.items() if basis in found)
        is_more = choice == "industry averages" and any(i["basis"] == "industry" for i in covered)
        those = f"{plural(len(replaced), 'line item')} on {from_}"
        text = f"If {those} used {what}{', too' if is_more else ''}, the total would be {size_of(change)} {way}: another choice of method, not an error margin"
    more = {"line_items": len(replaced), "replaced_change": own_change if math.isfinite(own_change) else None}
    state("sensitivity", text, base, choice=choice, change=change, **more)


def averages_of(covered, whole):
    """Returns how many suppliers have an industry average, and the largest parts from one."""
    amounts = {}
    for item in covered:
        if item["basis"] == "industry":
            amounts.setdefault(item["supplier"], []).append(item["emissions"])
    parts = sorted((total(own) for own in amounts.values()), reverse=True)
    return {"suppliers": len(parts), "largest": [[part, share(part, whole)] for part in parts[:10]]}


def goal_of(suppliers, percent):
    """Returns the shares of a goal of emissions, and the IDs to ask, from the definition alone."""
    by_currency = {}
    for each in suppliers:
        by_currency.setdefault(each["currency"], []).append(each)
    known = Fraction(0)
    estimate = Fraction(0)
    for own in by_currency.values():
        covered = [each for each in own if each["factor"] is not None]
        emissions = sum(Fraction(each["spend"] * each["factor"]) for each in covered)
        base = sum(each["spend"] for each in covered)
        open_ = sum(each["spend"] for each in own if each["factor"] is None)
        known += emissions
        if open_ and not base:
            estimate = None
        elif open_ and estimate is not None:
            estimate += emissions * open_ / base
    part = lambda each: Fraction(each["spend"] * each["factor"])
    # Without a match and without figures of its own, nobody knows whose record it is.
    is_known = lambda each: each["is_matched"] or not each["is_average"]
    named = [each for each in suppliers if each["factor"] is not None]
    targets = [each for each in named if each["status"] == "set" and is_known(each)]
    set_ = sum(part(each) for each in targets)
    averages = sum(part(each) for each in targets if each["is_average"])
    if estimate is None or not known:
        known_share = float(set_ / known) if known else None
        none = {"share": None, "averages": None, "unknown": None, "lapsed": None}
        direction = direction_of(named, targets, part, known, False)
        return {**none, "known": known_share, "ask": [], "also": [], "direction": direction}
    whole = known + estimate
    goal = Fraction(percent, 100)
    others = sorted(
        (each for each in named if each["status"] != "set" and is_known(each) and part(each) > 0),
        key=lambda each: (-part(each), each["id"]),
    )
    ask, reached = [], set_
    for each in others:
        if reached / whole >= goal:
            break
        reached += part(each)
        ask.append(each["id"])
    is_out_of_reach = reached / whole < goal
    if is_out_of_reach:
        ask = []
    # Targets whose text names no year as late as 2028 may lapse; those asked have new ones.
    ending = [each for each in targets if each["ends"] == 2027]
    lost = sum(part(each) for each in ending)
    lasting = set_ - lost
    after = lasting + sum(part(each) for each in others if each["id"] in ask)
    also, sum_ = [], after
    if lost and not is_out_of_reach:
        left = [each for each in others + ending if each["id"] not in ask]
        for each in sorted(left, key=lambda each: (-part(each), each["id"])):
            if sum_ / whole >= goal:
                break
            sum_ += part(each)
            also.append([each["id"], float(sum_ / whole)])
    unknown = sum(part(each) for each in named if not is_known(each))
    return {
        "unknown": float((set_ + unknown + estimate) / whole),
        "lapsed": [
            float(lost / whole),
            float(lasting / whole),
            float(after / whole) if ask else None,
        ]
        if lost
        else None,
        "also": also,
        "share": float(set_ / whole),
        "known": float(set_ / known),
        "averages": float(averages / whole),
        "ask": ask,
        "direction": direction_of(named, targets, part, whole, True),
    }


def direction_of(named, targets, part, whole, has_share):
    """Returns the day that a goal is compared with, the share then, and the parts of the change."""
    if not named:
        return None
    sizes = sum(part(each) for each in named)
    days = sorted({each["first"] for each in named})
    at = lambda day: [each for each in named if each["first"] <= day]
    day = next(day for day in days if 2 * sum(part(each) for each in at(day)) >= sizes)
    if day == TODAY:
        return {"day": day, "is_first": day == days[0]}
    recorded = [each["id"] for each in at(day)]
    now = {each["id"] for each in targets}
    parts = {"newly_set": 0, "lost": 0, "other_organization": 0, "not_known": 0}
    then = Fraction(0)
    for each in named:
        is_known = each["is_matched"] or not each["is_average"]
        was_set = each["id"] in recorded and each["status_then"] == "set" and is_known
        change = (each["id"] in now) - was_set
        then += part(each) if was_set else 0
        if each["id"] not in recorded:
            why = "not_known"
        elif each["is_matched"] and each["is_other"]:
            why = "other_organization"
        else:
            why = "newly_set" if change > 0 else "lost"
        parts[why] += change * part(each)
    shares = {why: float(size / whole) for why, size in parts.items()}
    is_first = day == days[0]
    share_then = float(then / whole) if has_share else None
    return {"day": day, "is_first": is_first, "share_then": share_then, **shares}


def bridge_of(step, before, after):
    """Returns the effects between two lists of cells with one ID each, and whom to ask why."""
    effects = {}
    bought, own_factor = {}, {}
    # What each supplier changed in the data, and otherwise.
    by_data, by_cause = {}, {}
    # Emissions of companies with own figures of both years, and what their own change adds.
    own_before, own_added = Fraction(0), Fraction(0)

    def add(name, value):
        effects[name] = effects.get(name, Fraction(0)) + value
        of = by_data if name in known else by_cause
        of[id_] = of.get(id_, Fraction(0)) + value
        if name in ("spend", "new", "left"):
            bought[id_] = bought.get(id_, Fraction(0)) + value
        if name in ("supplier_emissions", "supplier_revenue"):
            own_factor[id_] = own_factor.get(id_, Fraction(0)) + value

    known = ("method_and_data", "coverage", "currency_change")
    largest = lambda amounts: sorted((abs(float(value)) for value in amounts.values()), reverse=True)
    old = {cell["id"]: cell for cell in before}
    new = {cell["id"]: cell for cell in after}
    counts = lambda cell: cell["factor"] is not None
    is_whole = lambda cell: counts(cell) and cell["rest"] == 0
    # A supplier without emissions for some of its spend has changed its coverage, whatever was bought.
    both = [id_ for id_ in old.keys() & new.keys() if is_whole(old[id_]) and is_whole(new[id_])]
    spent = lambda side, other: sum(
        Fraction(cell["spend"])
        for id_, cell in side.items()
        if id_ in both or (id_ not in other and counts(cell))
    )
    spends = [spent(old, new), spent(new, old)]
    for id_ in sorted(old.keys() | new.keys()):
        emissions = lambda cell: Fraction(cell["spend"]) * Fraction(cell["factor"] or 0)
        if id_ not in old:
            add("new", emissions(new[id_]))
        elif id_ not in new:
            add("left", -emissions(old[id_]))
        elif id_ not in both:
            add("coverage", emissions(new[id_]) - emissions(old[id_]))
        else:
            a, b = old[id_], new[id_]
            s0, s1 = Fraction(a["spend"]), Fraction(b["spend"])
            f0, f1 = Fraction(a["factor"]), Fraction(b["factor"])
            # Spend changes first, or the factor: the mean of both orders.
            spend = ((s1 - s0) * f0 + (s1 - s0) * f1) / 2
            factor = ((f1 - f0) * s0 + (f1 - f0) * s1) / 2
            add("spend", spend)
            same = a["basis"] == b["basis"] == "own" and a["method"] == b["method"]
            if step == "years" and same:
                r0, r1 = Fraction(a["revenue"]), Fraction(b["revenue"])
                e0, e1 = f0 * r0, f1 * r1
                own_before += f0 * s0 if (f0, r0) != (f1, r1) else 0
                own = (e1 - e0) * (1 / r0 + 1 / r1) / 2 * (s0 + s1) / 2
                own_added += own
                add("supplier_emissions", own)
                add("supplier_revenue", factor - own)
            else:
                add("method_and_data", factor)
    asks = asks_why(bought, own_factor) if step == "years" else []
    together = sum(effects.values(), Fraction(0))
    real = together - sum(effects.get(name, Fraction(0)) for name in known)
    return {
        "effects": {name: float(value) for name, value in effects.items()},
        "without_data": float(real),
        "changes": [largest(by_cause), largest(by_data)],
        "bought": [float(each) for each in spends],
        "own_growth": float(own_added / own_before) if own_before else None,
        "asks": asks,
    }


def asks_why(bought, own_factor):
    """Returns the IDs to ask about a change, with the tonnes that each cause of theirs added."""
    risen = lambda amounts: sorted(
        ((value, id_) for id_, value in amounts.items() if value > 0), key=lambda e: (-e[0], e[1])
    )
    added = sum(bought.values(), Fraction(0))
    few, of_few = two_thirds(risen(bought) if added > 0 else [], added)
    rose = risen(own_factor)
    asks = []
    if few:
        rises = sum(value for value, _ in risen(bought))
        asks.append(["bought", few, float(of_few), float(of_few / rises)])
    if rose:
        rises = sum(value for value, _ in rose)
        most, of_most = two_thirds(rose, rises)
        asks.append(["rose", most, float(of_most), float(of_most / rises)])
    return sorted(asks, key=lambda ask: -ask[2])


def two_thirds(rises, whole):
    """Returns the first IDs that make up two thirds of a whole, and their sum."""
    few, of_few = [], Fraction(0)
    for value, id_ in rises:
        if 3 * of_few >= 2 * whole:
            break
        few.append(id_)
        of_few += value
    return few, of_few


def is_other(choice, other):
    if isinstance(choice, str) or isinstance(other, str):
        return isinstance(choice, str) != isinstance(other, str)
    return choice[1] != other[1] or choice[2] != other[2]


def total(values):
    return float(sum((Fraction(v) for v in values), Fraction(0)))


def share(part, whole):
    value = part / whole + 0.0 if whole else math.inf
    return value if math.isfinite(value) and value <= 1 else None


def as_described(record):
    match = record["matching_organization"]
    names = [name["value"] if isinstance(name, dict) else name for name in match.get("names", [])]
    return {"hq_region": "", **record, "matching_organization": {**match, "names": names}}


def calculate(portfolio):
    boundary = portfolio["boundary"]
    records = {record["id"]: as_described(record) for record in portfolio["records"]}
    groups = {}
    for row in portfolio["rows"]:
        key = (row["id"], row["currency"], row["year"], row["category"], row["name"])
        groups.setdefault(key, []).append(Fraction(row["spend"]))
    order = {}
    for row in portfolio["rows"]:
        order.setdefault(row["id"], len(order))
    keys = sorted(groups, key=lambda key: order[key[0]])

    ratios = [r for r in map(unit_ratio, records.values()) if r is not None]
    for power in (1e3, 1e-3, 1e6, 1e-6):
        near = sum(is_near(ratio, power) for ratio in ratios)
        if near >= 2 and near * 2 >= len(ratios):
            return {"exit": 2}

    matches = [record["matching_organization"]["id"] for record in records.values()]
    shared = {match for match in matches if matches.count(match) > 1}
    readings = {id_: shown_reading(record) for id_, record in records.items()}
    counts = {r: list(readings.values()).count(r) for r in ("additive", "nested")}
    agreed = portfolio.get("upstream_factor")
    for reading in ("additive", "nested"):
        if agreed is None and counts[reading] and counts[reading] * 100 >= 95 * sum(counts.values()):
            agreed = reading

    net = {}
    for (id_, currency, year, *_), spends in groups.items():
        net[id_, currency, year] = net.get((id_, currency, year), 0) + sum(spends)

    items = []
    for key in keys:
        id_, currency, year, category, name = key
        spend = float(sum(groups[key]))
        item = {"id": id_, "name": name, "currency": currency, "year": year, "category": category}
        item |= {"spend": spend, "basis": None, "factor": None, "factor_year": None}
        item |= {"needs": None, "reread": None}
        item |= {"emissions": None, "uncovered": None, "excluded": None, "exact": sum(groups[key])}
        if net[id_, currency, year] < 0:
            item["excluded"] = "negative_net_spend"
        record = records.get(id_)
        if record is None:
            choice = "no_record"
        else:
            own = readings[id_] if readings[id_] in ("additive", "nested") else None
            both = {r: choose(record, currency, year, boundary, r) for r in ("additive", "nested")}
            if own is None and agreed is None and is_other(both["additive"], both["nested"]):
                return {"exit": 2}
            choice = both[own or agreed or "additive"]
            if own is None and portfolio.get("upstream_factor") and is_other(both["additive"], both["nested"]):
                other = "nested" if agreed == "additive" else "additive"
                factor = both[other]
                is_known = not isinstance(factor, str) and not doubt_about(record, factor, name, shared)
                is_counted = item["excluded"] is None and is_known
                item["reread"] = [other, spend * factor[1] + 0.0 if is_counted else 0]
            others = [
                choose(record, currency, year, boundary, own or agreed or "additive", "service"),
                choose(record, currency, year, boundary, "additive", "industry"),
                choose(record, currency, year, boundary, "additive", "location"),
            ]
            if isinstance(choice, str) or choice[0] == "industry":
                item["needs"] = missing_of(record, year, boundary)
            if not isinstance(choice, str):
                doubt = doubt_about(record, choice, name, shared)
                choice = doubt or choice
                if doubt:
                    item["needs"] = None
        if isinstance(choice, str):
            if spend == 0:
                item["excluded"] = item["excluded"] or "no_spend"
                item["needs"] = None
            else:
                item["uncovered"] = choice
        else:
            item["basis"], item["factor"], item["factor_year"], item["scopes"] = choice
            item["emissions"] = spend * item["factor"] + 0.0
            item["others"] = [item["factor"] if value is None else value for value in others]
        items.append(item)

    counted = [item for item in items if item["excluded"] is None]
    covered = [item for item in counted if item["emissions"] is not None]
    emissions_of = lambda some: total(i["emissions"] for i in some if i["emissions"] is not None)
    all_emissions = emissions_of(covered)
    whole = all_emissions if covered else None
    years = {}
    for year in {item["year"] for item in counted}:
        some = [item for item in covered if item["year"] == year]
        years[str(year)] = emissions_of(some) if some else None
    for item in items:
        is_shown = item["emissions"] is not None and item["excluded"] is None
        item["share"] = share(item["emissions"], years[str(item["year"])]) if is_shown else None
    own = [item for item in covered if item["basis"] == "own"]
    summary = {
        "years": years,
        "line_items": len(counted),
        "covered_line_items": len(covered),
        "by_basis": {
            basis: emissions_of([i for i in covered if i["basis"] == basis])
            for basis in ("own", "service", "industry")
        },
        "supplier_data_share": [
            share(total(i["spend"] * i["scopes"] for i in own), whole),
            share(emissions_of(own), whole),
        ],
        "spend": {
            currency: [
                total(i["exact"] for i in counted if i["currency"] == currency),
                total(i["exact"] for i in covered if i["currency"] == currency),
            ]
            for currency in sorted({i["currency"] for i in counted})
        },
    }
    summary["targets"] = targets_of(items, records, shared, whole)
    summary["on_averages"] = averages_of(covered, whole)
    summary["statements"] = statements_of(items, portfolio["rows"], records)
    for item in items:
        item.pop("doubt")
        item.pop("supplier")
        item.pop("exact")
        item.pop("scopes", None)
        item.pop("others", None)
        item.pop("reread")
    return {"items": items, "summary": summary}


def is_sum(amount, rows, all_rows):
    """Whether an amount, as written, is the sum of rows; of several, it may be rounded."""
    if not rows:
        return False
    whole = sum(Fraction(row["amount"]) for row in rows)
    if len(rows) == 1:
        return Fraction(amount) == whole
    places = lambda text: len(text.partition(".")[2])
    half = lambda digits: Fraction(1, 2 * 10**digits)
    most = max(places(row["amount"]) for row in all_rows)
    allowed = half(places(amount)) + min(len(rows) * half(most), abs(whole) / 1000)
    return abs(Fraction(amount) - whole) <= allowed


def totals(given):
    """Returns the indexes of the rows that only add up others."""
    found, rows, section = [], [], []
    for index, row in enumerate(given):
        own = [each for each in rows if each["currency"] == row["currency"]]
        if row["is_bare"] and any(is_sum(row["amount"], each, rows) for each in (section, rows, own)):
            found.append(index)
            section = []
        else:
            rows.append(row)
            section.append(row)
    return found


def answer(given):
    if "amounts" in given:
        return totals(given["amounts"])
    if "goal" in given:
        return goal_of(given["suppliers"], given["goal"])
    if "step" in given:
        return bridge_of(given["step"], given["before"], given["after"])
    return calculate(given)


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))))
