"""The rules of docs/reference/checks.md for the figures of a year, independently of the program."""

from fractions import Fraction

METHODS = ["total_market_based", "total_location_based", "total", "sum"]
PARTS = {
    "scope_1": ["stationary_combustion", "mobile_combustion", "fugitive_emissions", "process_emissions"],
    "scope_2": ["purchased_electricity", "purchased_steam", "purchased_heat", "purchased_cooling"],
    "scope_3": [
        "purchased_goods_and_services",
        "capital_goods",
        "fuel_and_energy_related_activities",
        "upstream_transportation_and_distribution",
        "waste_generated_in_operations",
        "business_travel",
        "employee_commute",
        "upstream_leased_assets",
        "downstream_transportation_and_distribution",
        "processing_of_sold_products",
        "use_of_sold_products",
        "end_of_life_treatment_of_sold_products",
        "downstream_leased_assets",
        "franchises",
        "investments",
    ],
}


def is_number(value):
    return isinstance(value, (int, float, Fraction)) and not isinstance(value, bool)


def numbers(section):
    return {key: value for key, value in (section or {}).items() if is_number(value)} if isinstance(section, dict) else {}


def scope(performance, name):
    return numbers((performance.get("emissions") or {}).get(name))


def figure(performance, name):
    """Returns the place of the preferred figure of a scope, and the figure."""
    found = scope(performance, name)
    for place, method in enumerate(METHODS):
        if method in found:
            return place, found[method]
    return None


def total(performance):
    emissions = numbers(performance.get("emissions"))
    return emissions.get("total", emissions.get("sum"))


def discloses(performance):
    scopes = ("scope_1", "scope_2", "scope_1_and_2", "scope_3")
    return total(performance) is not None or any(figure(performance, name) for name in scopes)


def differ(a, b, tolerance):
    return abs(a - b) > tolerance * max(abs(a), abs(b))


def is_negative(value, key=""):
    if isinstance(value, dict):
        return any(is_negative(member, name) for name, member in value.items())
    return is_number(value) and value < 0 and key != "year"


def scope_totals(performance, name):
    found = scope(performance, name)
    return [found[each] for each in ("total", "total_market_based", "total_location_based") if each in found]


def scope_two(performance):
    found = scope_totals(performance, "scope_2")
    own = scope(performance, "scope_2").get("sum")
    return found or ([] if own is None else [own])


def has_wrong_parts(performance):
    for name, fields in PARTS.items():
        found = scope(performance, name)
        parts = [found[field] for field in fields if field in found]
        totals = scope_totals(performance, name)
        if not parts:
            continue
        if totals and max(sum(parts), *parts) > max(totals) * Fraction(101, 100):
            return True
        is_whole = len(parts) == len(fields) and totals
        if is_whole and all(differ(sum(parts), each, Fraction(1, 100)) for each in totals):
            return True
        if "sum" in found and differ(sum(parts), found["sum"], Fraction(1, 100)):
            return True
    return False


def has_wrong_total(performance):
    whole = total(performance)
    if whole is None:
        return False
    one, joint, three = (figure(performance, name) for name in ("scope_1", "scope_1_and_2", "scope_3"))
    value = lambda found: found[1] if found else 0
    second = scope_two(performance)
    if second:
        sums = [value(one) + each + value(three) for each in second]
    else:
        sums = [value(joint or one) + value(three)]
    is_complete = three and (joint or (one and second))
    limit = whole * Fraction(101, 100)
    is_right = lambda each: not differ(each, whole, Fraction(1, 100)) if is_complete else each <= limit
    parts = [scope(performance, name).get(field, 0) for name, fields in PARTS.items() for field in fields]
    return not any(map(is_right, sums)) or max(parts) > limit


def amounts(value):
    if isinstance(value, dict):
        return [each for member in value.values() for each in amounts(member)]
    return [value] if is_number(value) else []


def is_zero(performance):
    revenue = performance.get("revenue")
    found = amounts(performance.get("emissions"))
    return is_number(revenue) and revenue > 0 and len(found) > 0 and not any(found)
