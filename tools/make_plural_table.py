#!/usr/bin/env python3
"""Writes src/compiler/strings/plural_table.c, the plural rules of all languages, from Unicode's CLDR.

The Debian package unicode-cldr-core has the data.

Usage: make_plural_table.py > src/compiler/strings/plural_table.c
"""

import os
import sys
import textwrap
import xml.etree.ElementTree as ElementTree

FOLDER = "/usr/share/unicode/cldr/common/supplemental"
CATEGORIES = ("zero", "one", "two", "few", "many")


def old_codes():
    """Languages that have another code now; errors name it (plural_languages.c)."""
    metadata = ElementTree.parse(os.path.join(FOLDER, "supplementalMetadata.xml"))
    return {alias.get("type") for alias in metadata.iter("languageAlias")
            if alias.get("reason") == "deprecated"} | {"root"}


def simplified(rule):
    """A rule for numbers that have neither trailing zeros in the fraction nor an exponent: there `t`
    is `f`, `w` is `v`, and `c` and `e` are 0."""
    groups = []
    for group in rule.split("@")[0].strip().split(" or "):
        relations = []
        for relation in group.split(" and "):
            operand, rest = relation.split(" ", 1)
            if operand in "ce":
                if rest.startswith("!= 0"):
                    break
                if not rest.startswith("= 0"):
                    raise SystemExit(f"make_plural_table: new use of an exponent: {relation}")
                continue
            relations.append({"t": "f", "w": "v"}.get(operand, operand) + " " + rest)
        else:
            groups.append(" and ".join(relations))
    return " or ".join(groups)


def quoted(text, start):
    """A C string over as many lines as it needs, behind `start`."""
    lines = textwrap.wrap(text, 86 - len(start), break_on_hyphens=False)
    ends = [" "] * (len(lines) - 1) + [""]
    return start + ("\n" + " " * len(start)).join(
        f'"{line}{end}"' for line, end in zip(lines, ends))


def main():
    plurals = ElementTree.parse(os.path.join(FOLDER, "plurals.xml")).find("plurals[@type='cardinal']")
    old = old_codes()
    print("""// The plural rules of Unicode's CLDR. Written by tools/make_plural_table.py.
#include "compiler/strings/plural_table.h"

// clang-format off
const ct_plural_family ct_plural_families[] = {""")
    for family in plurals.iter("pluralRules"):
        languages = [name.replace("_", "-").lower() for name in family.get("locales").split()
                     if name not in old]
        rules = {rule.get("count"): simplified(rule.text)
                 for rule in family.iter("pluralRule") if rule.get("count") != "other"}
        print(quoted(" ".join(languages), "    {.languages = "), end="")
        for category in CATEGORIES:
            if category in rules:
                print(",\n" + quoted(rules[category],
                                     f"     .rules[CT_PLURAL_{category.upper()}] = "), end="")
        print("},")
    print("""    {0},
};""")


if __name__ == "__main__":
    sys.exit(main())
