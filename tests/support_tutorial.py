"""What the tests of written steps share: a page's numbered steps with their blocks of code, and doing
what a block says to a project.

A block begins with its language, and for an edit the file's path in the project: the whole file; with
`append`, what comes to its end; in the language `diff`, lines that go (-), come (+) and stay, with @@
between places of one file."""

import os
import re

from support_cuttle import read, write

BLOCK = re.compile(r"^```(\w+)(?: (\S+))?( append)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block:
    def __init__(self, match):
        self.language, self.file, self.text = match[1], match[2], match[4]
        self.is_appended = bool(match[3])

    def lines(self):
        return self.text.splitlines()


def read_steps(text, marks):
    """{number: blocks} of a page whose steps are headings as `## 1. Title`; marks: the #s of them."""
    parts = re.split(rf"(?m)^{marks} (\d+)\. .*$", text)[1:]
    return {int(number): [Block(m) for m in BLOCK.finditer(step)]
            for number, step in zip(parts[::2], parts[1::2])}


def patched(text, diff):
    """The text with a diff's changes; what goes or stays must be in it once."""
    for place in re.split(r"(?m)^@@\n", diff):
        lines = [(line[:1], line[1:] + "\n") for line in place.splitlines()]
        old = "".join(line for mark, line in lines if mark != "+")
        new = "".join(line for mark, line in lines if mark != "-")
        if ("\n" + text).count("\n" + old) != 1:
            raise AssertionError(f"not once in the file:\n{old}\nThe file:\n{text}")
        text = ("\n" + text).replace("\n" + old, "\n" + new, 1)[1:]
    return text


def apply_edit(project, block):
    """Does an edit, in one go: a running game never sees half of it."""
    path = os.path.join(project, *block.file.split("/"))
    if block.language == "diff":
        text = patched(read(path), block.text)
    else:
        text = (read(path) if block.is_appended else "") + block.text
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write(project + ".saving", text)
    os.replace(project + ".saving", path)
