#!/usr/bin/env python3
"""Measures in Chromium where flexbox places boxes: tools/flexbox_cases.py [FILE]

Writes tests/gui/flexbox_cases.json (or FILE): trees of boxes with styles as core/gui/layout.lua has
them, and the x, y, w and h that Chromium computes for each box. tests/test_widget_layout.py compares
them with what layout.lua computes; it needs no Chromium. Run this script after you have changed the
cases below. It needs the program `chromium` (Debian package chromium).

Chromium rounds each length to 1/64 pixel, and errors add up along a line, so it lays the boxes out
32 times as large. A box with "words" stands for a text: its words are blocks of fixed size that wrap
like letters do.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.environ.get("CUTTLE_SOURCE") or os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCALE = 32
SEED = 31
NUM_RANDOM = 150


# --- Cases by hand ---------------------------------------------------------------------------------

def box(*children, **style):
    return {"style": style, "children": list(children)} if children else {"style": style}


def row(*children, **style):
    return box(*children, direction="row", **style)


def text(*words, **style):
    """A text of words, each (width, height)."""
    return {"style": style, "words": [list(word) for word in words]}


SENTENCE = [(30, 10), (20, 10), (45, 12), (10, 10), (25, 10)]


def sized(width, height, **style):
    return box(width=width, height=height, **style)


def three(width=30, height=20, **style):
    return [sized(width, height, **style) for _ in range(3)]


def grow_cases():
    yield "grow shares free space", row(box(grow=1), box(grow=2), box(width=50), width=350, height=40)
    yield "grow below 1 leaves space", row(box(grow=0.2), box(grow=0.3), width=200, height=40)
    yield "grow adds to the width", row(sized(50, 10, grow=1), sized(20, 10, grow=1), width=200)
    yield "grow from basis 0", row(sized(50, 10, grow=1, basis=0), sized(20, 10, grow=1, basis=0),
                                   width=200)
    yield "grow stops at a maximum", row(box(grow=1, max_width=40), box(grow=1), box(grow=1),
                                         width=300, height=20)
    yield "grow starts at a minimum", row(box(grow=1, min_width=150), box(grow=1), box(grow=1),
                                          width=300, height=20)
    yield "grow with minimum and maximum", row(
        box(grow=1, min_width=120), box(grow=3, max_width=60), box(grow=2), width=300, height=20)
    yield "grow in a column", box(box(grow=1), box(grow=3), width=80, height=200)
    yield "grow with gap and padding", row(box(grow=1), box(grow=1), width=200, height=60, gap=10,
                                           padding=[5, 6, 7, 8])
    yield "grow with margins", row(box(grow=1, margin=4), box(grow=1, margin=[8, 0, 2, 0]), width=200,
                                   height=60)
    yield "grow does not happen without space", row(sized(150, 10, grow=1), sized(150, 10, grow=1),
                                                    width=200)
    yield "grow not below the text", row(text(*SENTENCE, grow=1, basis=0), text((70, 10), grow=1,
                                                                              basis=0), width=120)


def shrink_cases():
    yield "shrink by width", row(sized(200, 20), sized(100, 20), width=150)
    yield "shrink by factor", row(sized(200, 20, shrink=3), sized(200, 20), width=200)
    yield "shrink 0 keeps its size", row(sized(200, 20, shrink=0), sized(200, 20), width=250)
    yield "shrink below 1 overflows", row(sized(200, 20, shrink=0.2), sized(200, 20, shrink=0.3),
                                          width=200)
    yield "shrink stops at a minimum", row(sized(200, 20, min_width=150), sized(200, 20),
                                           sized(100, 20), width=250)
    yield "shrink stops at the longest word", row(text(*SENTENCE), sized(200, 20), width=100)
    yield "shrink stops at the children", row(box(sized(80, 10), width=200), sized(100, 10), width=120)
    yield "shrink does not stop with scroll", row(box(sized(80, 10), width=200, scroll=True),
                                                  sized(100, 10), width=90)
    yield "shrink does not stop with minimum 0", row(box(sized(80, 10), width=200, min_width=0),
                                                     sized(100, 10), width=90)
    yield "shrink leaves the padding", row(sized(100, 10, padding=[20, 0, 20, 0]), sized(100, 10),
                                           width=100)
    yield "shrink stops at padding", row(sized(100, 10, padding=[20, 0, 20, 0]), sized(100, 10),
                                         width=30)
    yield "shrink in a column stops at the content", box(box(sized(10, 60), height=100),
                                                         sized(20, 100), width=50, height=120)
    yield "shrink in a column with scroll", box(box(sized(10, 60), height=100, scroll=True),
                                                sized(20, 100), width=50, height=90)
    yield "shrink of a text in a column", box(text(*SENTENCE), sized(20, 100), width=50, height=60)


def wrap_cases():
    yield "wrap to lines", row(*three(), sized(50, 30), width=100, wrap=True)
    yield "wrap with gap", row(*three(), sized(50, 30), width=100, wrap=True, gap=[4, 10])
    yield "wrap exactly full", row(*three(), width=90, wrap=True)
    yield "wrap of one wide box", row(sized(150, 20), sized(20, 20), width=100, wrap=True)
    yield "wrap with grow in each line", row(*three(grow=1), sized(20, 20, grow=2), width=80, wrap=True)
    yield "wrap stretches lines", row(*three(), box(width=50), width=70, height=200, wrap=True)
    yield "wrap reverse", row(*three(), sized(50, 30), width=100, height=120, wrap="reverse")
    yield "wrap reverse of content height", row(*three(), sized(50, 30, align_self="end"), width=100,
                                                wrap="reverse")
    for how in ("start", "end", "center", "space_between", "space_around", "space_evenly"):
        yield f"wrap with align_content {how}", row(
            *three(), sized(50, 30), width=70, height=200, wrap=True, align_content=how)
        yield f"wrap that overflows with align_content {how}", row(
            *three(), sized(50, 30), width=40, height=60, wrap=True, align_content=how)
    yield "wrap in a column", box(*three(), sized(50, 30), width=200, height=50, wrap=True)
    yield "wrap in a column with maximum height", box(*three(), width=200, max_height=50, wrap=True)
    yield "wrap with percent", row(box(width="50%", height=10), box(width="50%", height=10),
                                   box(width="30%", height=10), width=100, wrap=True)
    yield "wrap breaks before margins", row(*three(margin=3), width=100, wrap=True)
    yield "wrap by minimum", row(box(basis=10, min_width=60, height=5), box(basis=10, min_width=60,
                                                                          height=5), width=100, wrap=True)
    yield "wrap one line with height", row(box(width=20), box(width=20, height=10), width=100,
                                           height=50, wrap=True, align="center")


def align_cases():
    for how in ("start", "end", "center", "space_between", "space_around", "space_evenly"):
        yield f"justify {how}", row(*three(), width=200, height=40, justify=how)
        yield f"justify {how} with one box", row(sized(30, 20), width=200, height=40, justify=how)
        yield f"justify {how} that overflows", row(*three(shrink=0), width=50, height=40, justify=how)
        yield f"justify {how} reversed", box(*three(), width=50, height=100, justify=how, gap=3,
                                             direction="column_reverse")
    for how in ("start", "end", "center", "stretch"):
        yield f"align {how}", row(sized(20, 30), text(*SENTENCE), box(width=10), width=120, height=90,
                                  align=how)
        yield f"align {how} in a column", box(sized(20, 30), text(*SENTENCE), box(height=10), width=90,
                                              height=120, align=how)
        yield f"align_self {how}", row(sized(20, 30), text((30, 10), align_self=how), width=120,
                                       height=90, align="center")
    yield "align stretch to the highest", row(sized(20, 50), box(width=10), box(width=10, max_height=20),
                                              box(width=10, min_height=70), width=100)
    yield "align center of a larger box", row(sized(20, 90), width=50, height=40, align="center")
    yield "row_reverse", box(*three(), width=200, height=40, direction="row_reverse", gap=5)
    yield "row_reverse with margins", box(*three(margin=[1, 2, 3, 4]), width=200, height=40,
                                          direction="row_reverse")
    yield "row_reverse that overflows", box(*three(shrink=0), width=50, height=40,
                                            direction="row_reverse", justify="space_around")


def margin_cases():
    yield "margin auto at the left", row(sized(20, 10), sized(20, 10, margin=["auto", 0, 0, 0]),
                                         width=100)
    yield "margin auto on both sides", row(sized(20, 10, margin="auto"), width=100, height=50)
    yield "margin auto of two boxes", row(sized(20, 10, margin=["auto", 0, "auto", 0]),
                                          sized(20, 10, margin=[0, 0, "auto", 0]), width=100)
    yield "margin auto above", row(sized(20, 10, margin=[0, "auto", 0, 0]), width=100, height=50)
    yield "margin auto does not stretch", row(box(width=20, margin=["auto", "auto", 0, 5]), width=100,
                                              height=50)
    yield "margin auto that overflows", row(sized(20, 80, margin="auto"), width=10, height=50)
    yield "margin auto in a column", box(text(*SENTENCE, margin="auto"), width=200, height=90)
    yield "margin auto wins over justify", row(sized(20, 10), sized(20, 10, margin=["auto", 0, 0, 0]),
                                               width=100, justify="center")
    yield "margin auto that overflows in wrap reverse", row(sized(20, 80, margin="auto"), width=50,
                                                            height=50, wrap="reverse",
                                                            align_content="start")
    yield "margins stretch less", box(box(height=10, margin=[3, 4, 5, 6]), width=100)
    yield "margins below 0", row(sized(30, 10), sized(30, 10, margin=[-10, -3, 0, 0]), width=100,
                                 height=50)


def percent_cases():
    yield "percent of width and height", row(box(width="50%", height="25%"), width=200, height=80,
                                             padding=10)
    yield "percent height of no height", box(box(box(height="50%"), sized(10, 30)), width=100)
    yield "percent height in a stretched box", row(box(box(height="50%", width=10)), sized(10, 60),
                                                   width=100)
    yield "percent height in a grown box", box(box(box(height="50%", width=10), grow=1), width=60,
                                               height=100)
    yield "percent basis", row(box(basis="25%"), box(basis="50%"), width=200, height=20)
    yield "percent basis in a column without height", box(text(*SENTENCE, basis="50%"), width=70)
    yield "percent minimum and maximum", row(box(min_width="60%"), box(width=150, max_width="20%"),
                                             width=200, height=20)
    yield "percent width in a box of its content", box(row(box(width="50%", height=5), sized(40, 10)),
                                                       width=200, align="start")
    yield "percent of a gap", row(box(basis="50%"), box(basis="50%"), width=200, height=20, gap=20)


def nested_cases():
    yield "nested width from content", row(row(sized(20, 10), sized(30, 10), gap=5, padding=3),
                                           box(grow=1), width=200)
    yield "nested height from content", box(row(sized(20, 10), sized(30, 40), padding=4), box(grow=1),
                                            width=100, height=100)
    yield "nested text in a row in a column", box(row(text(*SENTENCE), sized(20, 10)), sized(10, 10),
                                                  width=70)
    yield "nested text that grows", row(box(text(*SENTENCE), text((20, 10)), grow=1), sized(50, 20),
                                        width=120, align="start")
    yield "nested minimum from content", row(row(row(sized(60, 10, shrink=0))), sized(100, 20),
                                             width=100)
    yield "nested minimum ends at scroll", row(row(row(sized(60, 10, shrink=0)), scroll=True),
                                               sized(100, 20), width=100)
    yield "nested wrap in a column", box(row(*three(), wrap=True), sized(10, 10), width=70)
    yield "nested wrap of content width", row(row(*three(), wrap=True), box(grow=1), width=200,
                                              align="start")
    yield "nested wrap shrinks to one box", row(row(*three(), wrap=True), sized(200, 10), width=230)
    yield "nested columns stretch", row(box(box(grow=1), sized(10, 10)), box(sized(30, 50)), width=100)
    yield "nested center", box(box(text(*SENTENCE), align="center"), width=90, height=90,
                               align="center", justify="center")
    yield "nested basis in content width", box(row(box(basis=60, height=5), sized(20, 10, basis=40)),
                                               width=200, align="start")
    yield "nested grow in content width", box(row(text((20, 10), grow=1, basis=0), text((40, 10),
                                                  grow=1, basis=0)), width=200, align="start")
    yield "nested grow of unlike texts", box(row(text((20, 10), (30, 10), grow=1, basis=0), text(
        (40, 10), (60, 10), grow=3, basis=0), text((70, 10), grow=1)), width=300, align="start")
    yield "nested basis 0 without grow", box(row(text((20, 10), (30, 10), basis=0), text(
        (40, 10), (60, 10), basis=0, shrink=0), text((70, 10), basis=90, shrink=0)), width=300,
        align="start")
    yield "nested minimum height", box(box(box(grow=1), box(grow=1), min_height=60), width=50)
    yield "nested maximum height", box(box(sized(10, 50), sized(10, 50), max_height=60), width=50)
    yield "nested minimum height of lines", box(row(sized(10, 10), box(width=10), wrap=True,
                                                    min_height=60), width=15)
    yield "menu with title, list and buttons", box(
        box(text((40, 16), (50, 16)), padding=8),
        box(*[row(text((30, 10), (20, 10)), box(grow=1), sized(16, 16), gap=4, padding=[6, 3, 6, 3],
                  align="center") for _ in range(5)], grow=1, basis=0, scroll=True, gap=2),
        row(sized(50, 20), sized(50, 20), justify="end", gap=6, padding=6, shrink=0),
        width=220, height=180)
    yield "labels beside fields", box(
        *[row(text(*words, width="30%"), sized(10, 14, grow=1), gap=8) for words in
          ([(30, 10)], [(30, 10), (25, 10)], [(55, 10), (40, 12)])], width=150, padding=10, gap=5)


def absolute_cases():
    def absolute(**style):
        return box(position="absolute", **style)
    yield "absolute by left and top", box(absolute(left=5, top=6, width=10, height=12), width=100,
                                          height=80, padding=20)
    yield "absolute by right and bottom", box(absolute(right=5, bottom=6, width=10, height=12),
                                              width=100, height=80, padding=20)
    yield "absolute between edges", box(absolute(left=5, right=7, top=1, bottom=2), width=100,
                                        height=80, padding=20)
    yield "absolute with all given ignores right", box(
        absolute(left=5, right=7, width=20, top=1, bottom=2, height=30), width=100, height=80)
    yield "absolute by percent", box(absolute(left="10%", top="20%", width="50%", height="25%"),
                                     width=100, height=80, padding=10)
    yield "absolute with auto margins", box(absolute(left=0, right=0, top=0, bottom=0, width=20,
                                                     height=10, margin="auto"), width=100, height=80)
    yield "absolute with one auto margin", box(
        absolute(left=4, right=6, top=0, width=20, height=10, margin=["auto", 0, 3, 0]), width=100,
        height=80)
    yield "absolute with margins", box(absolute(left=4, bottom=6, width=20, height=10,
                                                margin=[1, 2, 3, 4]), width=100, height=80)
    yield "absolute of its content", box({**text(*SENTENCE, position="absolute", left=60, top=3)},
                                         width=100, height=80)
    yield "absolute takes no space", row(absolute(width=50, height=5), sized(20, 10), width=100)
    for how in ("start", "end", "center", "space_between", "space_around"):
        yield f"absolute without place, justify {how}", row(
            absolute(width=30, height=20), width=100, height=80, padding=5, justify=how, align="end")
    for how in ("start", "end", "center", "stretch"):
        yield f"absolute without place, align {how}", row(
            absolute(width=30, height=20), width=100, height=80, padding=5, align=how)
        yield f"absolute text without place, align {how}", box(
            text(*SENTENCE, position="absolute"), width=60, height=80, padding=[20, 3, 5, 4], align=how)
    yield "absolute without place in reverse", box(absolute(width=30, height=20, margin=2), width=100,
                                                   height=80, padding=5, direction="column_reverse")
    yield "absolute with children", box(row(box(grow=1), text(*SENTENCE), position="absolute", left=0,
                                            right=0, bottom=0), width=100, height=80)
    yield "absolute with maximum", box(absolute(left=0, right=0, top=0, bottom=0, max_width=50,
                                                max_height=20), width=100, height=80)


def other_cases():
    yield "hidden takes no space", row(sized(20, 10), sized(30, 10, hidden=True), sized(20, 10),
                                       width=100, gap=10)
    yield "hidden with children", box(box(sized(30, 10), hidden=True), sized(20, 10), width=100)
    yield "aspect from width", row(box(width=40, aspect=2), width=100, align="start")
    yield "aspect from height", row(box(height=40, aspect=2), width=100)
    yield "aspect from stretched height", row(box(aspect=0.5), width=100, height=60)
    yield "aspect in a column", box(box(aspect=2), width=100)
    yield "aspect in a column at the start", box(box(aspect=2, height=20), width=100, align="start")
    yield "aspect with maximum", row(box(width=40, aspect=0.5, max_height=30), width=100,
                                     align="start")
    yield "aspect that shrinks", row(box(width=80, aspect=2), sized(80, 10), width=100, align="start")
    yield "aspect that grows", row(box(width=10, aspect=2, grow=1), sized(40, 10), width=100,
                                   align="start")
    yield "aspect not below the content", row(text(*SENTENCE, aspect=2, width=30), width=100,
                                              align="start")
    yield "aspect not below the content in a column", box(text(*SENTENCE, aspect=2, width=40), width=100)
    yield "aspect below the content with scroll", box(text(*SENTENCE, aspect=2, width=40, scroll=True),
                                                      width=100)
    yield "aspect of the content width", box(text((30, 10), aspect=1.5), width=100, align="start")
    yield "aspect limits the width by the maximum height", row(text(*SENTENCE, aspect=1, max_height=50),
                                                               width=300, align="start")
    yield "aspect limits the width in a column", box(text(*SENTENCE, aspect=1, max_height=50), width=300,
                                                     align="center")
    yield "aspect does not shrink below its height", row(box(aspect=2, height=40), sized(90, 10),
                                                         width=100)
    yield "aspect of two images in a row", row(box(aspect=1.5, width="50%"), box(aspect=0.75, grow=1),
                                               width=120, gap=6, align="start")
    yield "aspect of an absolute box by height", box(
        box(position="absolute", left=5, right=5, height=20, aspect=1.5), width=100, height=80)
    yield "aspect of an absolute box by edges", box(
        box(position="absolute", left=5, top=4, bottom=6, aspect=0.5), width=100, height=80)
    yield "aspect of an absolute box by width", box(
        box(sized(5, 30), position="absolute", right=5, width=40, aspect=2), width=100, height=80)
    yield "aspect beside a child with percent height", row(
        box(box(height="50%"), width=40, aspect=2), width=100, align="start")
    yield "aspect in the width of a content row", box(row(box(aspect=2, height=20), sized(10, 10)),
                                                      width=200, align="start")
    yield "absolute below by align_self", box(
        box(position="absolute", top=5, bottom=7, width=10, height=20, align_self="end"), width=100,
        height=80)
    yield "absolute in the middle by align_self", box(
        text((10, 10), position="absolute", top=5, bottom=7, align_self="center"), width=100, height=80)
    yield "absolute by align_self stays in the parent", box(
        box(position="absolute", top=30, bottom=20, width=10, height=45, align_self="center"),
        width=100, height=80)
    yield "column that wraps with the width of its content", box(
        box(*three(), wrap=True, height=50, gap=2), width=200, align="start")
    yield "column that wraps in a row", row(box(*three(), wrap=True), sized(20, 10), width=200, height=45)
    yield "empty root", box(width=100, height=50)
    yield "root of its content", box(text(*SENTENCE), padding=5, width=80)
    yield "padding larger than the box", row(sized(10, 10, padding=8), width=60, align="start")
    yield "minimum wins over maximum", row(sized(50, 10, min_width=40, max_width=20), width=100)
    yield "basis content", row(text((25, 10), basis="content", width=60), width=100)
    yield "text of one line", row(text(*SENTENCE), width=300)
    yield "text of many lines", box(text(*SENTENCE), width=40)
    yield "text with padding", box(text(*SENTENCE, padding=[5, 1, 5, 2]), width=80)
    yield "column wider than its space", box(sized(150, 10), text((120, 10)), width=100)


def cases_by_hand():
    for make in (grow_cases, shrink_cases, wrap_cases, align_cases, margin_cases, percent_cases,
                 nested_cases, absolute_cases, other_cases):
        yield from make()


# --- Random cases ----------------------------------------------------------------------------------

def random_style(generator, is_absolute):
    def maybe(chance, name, *choices):
        if generator.random() < chance:
            style[name] = generator.choice(choices)
    style = {}
    maybe(0.5, "direction", "row", "row", "row_reverse", "column_reverse")
    maybe(0.25, "wrap", True, True, "reverse")
    maybe(0.4, "justify", "end", "center", "space_between", "space_around", "space_evenly")
    maybe(0.4, "align", "start", "end", "center")
    maybe(0.2, "align_self", "start", "end", "center", "stretch")
    maybe(0.2, "align_content", "start", "end", "center", "space_between", "space_around",
          "space_evenly")
    maybe(0.3, "grow", 1, 2, 0.5)
    maybe(0.2, "shrink", 0, 2, 0.5)
    maybe(0.15, "basis", 0, 20, 60, "25%", "content")
    maybe(0.3, "width", 20, 45, 80, "50%", "100%")
    maybe(0.3, "height", 10, 30, 64, "50%", "100%")
    maybe(0.1, "min_width", 0, 25, 60, "30%")
    maybe(0.1, "min_height", 0, 15, 50, "30%")
    maybe(0.1, "max_width", 30, 70, "40%")
    maybe(0.1, "max_height", 20, 40, "40%")
    maybe(0.2, "padding", 4, [1, 2, 3, 4])
    maybe(0.2, "margin", 3, [2, 1, 4, 3], ["auto", 0, 0, 0], "auto", [-3, 0, 0, -2])
    maybe(0.3, "gap", 5, [2, 7])
    maybe(0.05, "hidden", True)
    maybe(0.1, "scroll", True)
    if is_absolute:
        style["position"] = "absolute"
        for side in ("left", "top", "right", "bottom"):
            maybe(0.5, side, 0, 7, "20%")
    return style


def random_tree(generator, depth):
    tree = {"style": random_style(generator, depth > 0 and generator.random() < 0.1)}
    if depth == 0:
        tree["style"]["width"] = generator.choice([60, 150, 300])
        for name in ("hidden", "margin", "min_width", "min_height", "max_width", "max_height"):
            tree["style"].pop(name, None)
        tree["style"]["height"] = generator.choice([50, 120, 240])
        if generator.random() < 0.4:
            del tree["style"]["height"]
    if depth < 3 and "hidden" not in tree["style"] and generator.random() < (1, 0.6, 0.5)[depth]:
        tree["children"] = [random_tree(generator, depth + 1) for _ in range(generator.randint(1, 4))]
    elif generator.random() < 0.6:
        tree["words"] = [[generator.randint(5, 40), generator.randint(5, 15)]
                         for _ in range(generator.randint(1, 6))]
    return tree


def all_cases(num_random=NUM_RANDOM, seed=SEED):
    cases = [{"name": name, "tree": tree} for name, tree in cases_by_hand()]
    generator = random.Random(seed)
    return cases + [{"name": f"random {i}", "tree": random_tree(generator, 0)}
                    for i in range(1, num_random + 1)]


# --- HTML ------------------------------------------------------------------------------------------

NAMES = {"direction": "flex-direction", "justify": "justify-content", "align": "align-items",
         "align_self": "align-self", "align_content": "align-content", "grow": "flex-grow",
         "shrink": "flex-shrink", "basis": "flex-basis", "aspect": "aspect-ratio"}
PLAIN = {"grow", "shrink", "aspect"}  # numbers without a unit
KEYWORDS = {"start": "flex-start", "end": "flex-end"}


def css_value(name, value):
    if isinstance(value, list):
        if name in ("padding", "margin"):
            value = [value[1], value[2], value[3], value[0]]  # CSS starts at the top
        return " ".join(css_value(name, entry) for entry in value)
    if isinstance(value, str):
        return KEYWORDS.get(value, value.replace("_", "-"))
    return f"{value}" if name in PLAIN else f"{value * SCALE}px"


def css(style):
    parts = []
    for name, value in style.items():
        if name == "wrap":
            parts.append("flex-wrap:" + ("wrap-reverse" if value == "reverse" else
                                         "wrap" if value else "nowrap"))
        elif name == "hidden":
            parts += ["display:none"] * value
        elif name == "scroll":
            parts += ["overflow:hidden"] * value
        else:
            parts.append(NAMES.get(name, name.replace("_", "-")) + ":" + css_value(name, value))
    return ";".join(parts)


def html_of(tree):
    inside = "".join(f'<i style="width:{w * SCALE}px;height:{h * SCALE}px"></i>'
                     for w, h in tree.get("words", ()))
    inside += "".join(html_of(child) for child in tree.get("children", ()))
    kind = ' class="text"' if "words" in tree else ""
    return f'<div{kind} style="{css(tree["style"])}">{inside}</div>'


PAGE = """<!DOCTYPE html><meta charset="utf-8"><style>
body { margin: 0; font-size: 0; line-height: 0 }
section { position: absolute; left: 0; top: 0; width: 3200px }
div { display: flex; flex-direction: column; box-sizing: border-box; position: relative }
div.text { display: block }
i { display: inline-block; vertical-align: top }
</style><body>%s<pre id="results"></pre><script>
function measured(node, left, top) {
    const r = node.getBoundingClientRect();
    const boxes = [...node.children].filter(child => child.tagName === "DIV");
    const isHidden = getComputedStyle(node).display === "none";
    return [isHidden ? 0 : r.left - left, isHidden ? 0 : r.top - top, r.width, r.height,
            boxes.map(child => measured(child, r.left, r.top))];
}
document.getElementById("results").textContent = JSON.stringify(
    [...document.querySelectorAll("section > div")].map(node => measured(node, 0, 0)));
</script>"""


def short(value):
    """A figure in units, rounded; as an integer where it is one."""
    rounded = round(value / SCALE, 3)
    return int(rounded) if rounded == int(rounded) else rounded


def write_figures(tree, figures):
    """Puts the figures of Chromium beside the boxes of a tree."""
    *place, children = figures
    tree["expected"] = [short(value) for value in place]
    for child, figures_of_child in zip(tree.get("children", ()), children, strict=True):
        write_figures(child, figures_of_child)


def measure(cases):
    """Adds what Chromium computes to each case. Returns its version."""
    page = PAGE % "\n".join(f"<section>{html_of(case['tree'])}</section>" for case in cases)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cases.html")
        with open(path, "w") as file:
            file.write(page)
        done = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu",
                               f"--user-data-dir={folder}/profile", "--dump-dom", "file://" + path],
                              capture_output=True, text=True, timeout=300)
    found = re.search(r'<pre id="results">(.*?)</pre>', done.stdout, re.DOTALL)
    if not found:
        sys.exit("flexbox_cases.py: Chromium printed no results\n" + done.stderr[-2000:])
    for case, figures in zip(cases, json.loads(found[1]), strict=True):
        write_figures(case["tree"], figures)
    version = subprocess.run(["chromium", "--version"], capture_output=True, text=True, check=True)
    return " ".join(version.stdout.split()[:2])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", metavar="FILE", default=os.path.join(
        ROOT, "tests", "gui", "flexbox_cases.json"))
    parser.add_argument("--random", type=int, default=NUM_RANDOM, metavar="N",
                        help=f"the number of random trees ({NUM_RANDOM})")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help=f"of them ({SEED})")
    arguments = parser.parse_args()
    cases = all_cases(arguments.random, arguments.seed)
    version = measure(cases)
    with open(arguments.file, "w") as file:
        file.write(f'{{"measured_by": "{version}", "cases": [\n')
        file.write(",\n".join(json.dumps(case) for case in cases))
        file.write("\n]}\n")
    print(f"{arguments.file}: {len(cases)} cases, measured by {version}")


if __name__ == "__main__":
    main()
