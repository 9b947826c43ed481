#!/usr/bin/env python3
"""Writes core/gui/character_classes.lua from the Unicode database (Debian's package unicode-data).

Usage: make_character_classes.py > core/gui/character_classes.lua
"""

import re
import sys

FOLDER = "/usr/share/unicode/"
HEAD = """-- The classes of code points by which core/gui/characters.lua finds characters, as ranges in
-- hex. Syllables of Hangul are computed there; what is in no class is Other. Made by
-- tools/make_character_classes.py of Unicode 15.0: Grapheme_Cluster_Break, and Extended_Pictographic
-- as Pictographic.
"""


def ranges(path, classes):
    """{class: sorted ranges} of a file of the database."""
    found = {}
    with open(FOLDER + path) as file:
        for line in file:
            match = re.match(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*; (\w+)", line)
            if match and match[3] in classes:
                first = int(match[1], 16)
                found.setdefault(match[3], []).append((first, int(match[2] or match[1], 16)))
    return {name: merged(sorted(found[name])) for name in classes}


def merged(pairs):
    result = []
    for first, last in pairs:
        if result and result[-1][1] + 1 == first:
            first = result.pop()[0]
        result.append((first, last))
    return result


def rows(pairs):
    row = ""
    for first, last in pairs:
        text = f"{first:X}-{last:X}" if last > first else f"{first:X}"
        if len(row) + len(text) > 85:
            yield row + " "
            row = ""
        row += (" " if row else "") + text
    yield row


def main():
    if len(sys.argv) > 1:
        print(__doc__.strip())
        return
    classes = ranges("auxiliary/GraphemeBreakProperty.txt",
                     ["Control", "Extend", "L", "Prepend", "Regional_Indicator", "SpacingMark", "T", "V"])
    classes |= ranges("emoji/emoji-data.txt", ["Extended_Pictographic"])
    print(HEAD + "\nreturn {")
    for name, pairs in classes.items():
        name = name.removeprefix("Extended_")
        print(f"    {name} =")
        print(" ..\n".join(f'        "{row}"' for row in rows(pairs)) + ",")
    print("}")


if __name__ == "__main__":
    main()
