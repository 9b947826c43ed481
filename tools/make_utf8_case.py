#!/usr/bin/env python3
"""Writes the tables of src/foundation/string/utf8_case.c from Python's copy of the Unicode database.

Usage: make_utf8_case.py > src/foundation/string/utf8_case.c
"""

import unicodedata


def mapped(function):
    """(code point, its mapping) where a letter maps to one other."""
    for code in range(0x110000):
        if not 0xD800 <= code <= 0xDFFF:
            to = function(chr(code))
            if len(to) == 1 and to != chr(code):
                yield code, ord(to)


def ranges(pairs):
    """Runs of letters, next to each other or every other one, that are as far from theirs."""
    pairs = list(pairs)
    at = 0
    while at < len(pairs):
        code, distance = pairs[at][0], pairs[at][1] - pairs[at][0]
        stride, count = 1, 1
        for step in (1, 2):
            n = 1
            while at + n < len(pairs) and pairs[at + n] == (code + n * step,
                                                            code + n * step + distance):
                n += 1
            if n > count:
                stride, count = step, n
        yield code, code + (count - 1) * stride, distance, stride
        at += count


def table(name, function):
    print(f"\nstatic const case_range {name}[] = {{")
    for first, last, distance, stride in ranges(mapped(function)):
        print(f"    {{0x{first:x}, 0x{last:x}, {distance}, {stride}}},")
    print("};")


print(f"""// Letters and their lower and upper case, of Unicode {unicodedata.unidata_version}.
// Written by tools/make_utf8_case.py.
#include "foundation/string/utf8.h"

// Letters from `first` to `last`, each or every other one, that lie `distance` from theirs.
typedef struct case_range {{
    uint32_t first, last;
    int32_t distance;
    uint32_t stride; // 1 or 2
}} case_range;""")
table("to_lower", str.lower)
table("to_upper", str.upper)
print("""
static uint32_t map(const case_range *ranges, uint32_t count, uint32_t code_point) {
    uint32_t first = 0, last = count;
    while (first < last) {
        const uint32_t middle = first + (last - first) / 2;
        const case_range *const r = &ranges[middle];
        if (code_point > r->last)
            first = middle + 1;
        else if (code_point < r->first)
            last = middle;
        else if ((code_point - r->first) % r->stride != 0)
            return code_point;
        else
            return (uint32_t)((int32_t)code_point + r->distance);
    }
    return code_point;
}

uint32_t ct_utf8_lower(uint32_t code_point) {
    return map(to_lower, CT_COUNT_OF(to_lower), code_point);
}

uint32_t ct_utf8_upper(uint32_t code_point) {
    return map(to_upper, CT_COUNT_OF(to_upper), code_point);
}""")
