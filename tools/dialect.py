#!/usr/bin/env python3
"""Checks that all C reads alike (CONTRIBUTING.md, "One dialect"), and fixes what it can.

Usage: tools/dialect.py [--fix] [--build FOLDER] [FILE...]
FOLDER is a build whose compile_commands.json says how files are compiled (build/dev).
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = ("src", "tests", "bench", "fuzz")


def blanked(text):
    """`text` with comments and the insides of literals blanked, at the same places."""
    def blank(match):
        found = match[0]
        if found[0] in "\"'":
            return found[0] + "_" * (len(found) - 2) + found[-1]
        return re.sub(r"[^\n]", " ", found)

    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text,
                  flags=re.S)


def line_of(text, place):
    return text.count("\n", 0, place) + 1


# --- What lines show -------------------------------------------------------------------------------

def find_null_tests(code):
    """`p == NULL`; and `p != NULL` in a condition, where `p` says it."""
    for match in re.finditer(r"([!=])= NULL\b", code):
        if match[1] == "=":
            yield match.start(), "found `== NULL`: write `!p`"
            continue
        before, after = code[:match.start()], code[match.end():].lstrip()
        statement = before[max(before.rfind(c) for c in ";{}") + 1:].lstrip()
        if after.startswith(("&&", "||")) or re.search(r"(&&|\|\|)\s*[\w.\->\[\]]+\s*$", before) or (
                re.match(r"(if|while) \([\w.\->\[\]]+ $", statement) and after.startswith(")")):
            yield match.start(), "found `!= NULL` in a condition: write `p`"


def find_postfix_steps(code):
    """`i++` whose value is not used."""
    for match in re.finditer(r"^[ ]+([\w.\->\[\]]+)(\+\+|--);|; ([\w.\->\[\]]+)(\+\+|--)\)", code, re.M):
        yield match.start(), f"found `{match[1] or match[3]}{match[2] or match[4]}`: write it in front"


def find_bare_sizeofs(code):
    for match in re.finditer(r"\bsizeof[ *\w]", code):
        yield match.start(), "found sizeof without parentheses: write `sizeof(x)`"


def find_in_lines(path, text):
    code = blanked(text)
    for find in (find_null_tests, find_postfix_steps, find_bare_sizeofs):
        for place, what in find(code):
            yield path, line_of(text, place), what


# --- Locals that never change ----------------------------------------------------------------------

TYPE = r"(?:(?:struct |unsigned )?[A-Za-z_]\w*)"
VALUE = re.compile(r"^[ ]{4,}(?!(?:return|goto|else|case|typedef|extern|static|const)\b)(" + TYPE +
                   r") (\**)(\w+) =(?!=)", re.M)
POINTER_TO_CONST = re.compile(r"^[ ]{4,}(const " + TYPE + r") (\*+)(\w+) =(?!=)", re.M)


def declares_one(code, place):
    """Whether the initialiser at `place` ends the declaration."""
    depth = 0
    for character in code[place:]:
        depth += (character in "([{") - (character in ")]}")
        if depth == 0 and character in ",;":
            return character == ";"
    return False


class Local:
    """A local without const: its name, and where const would go."""
    def __init__(self, place, name):
        self.place, self.name, self.can_be_const = place, name, True


def changes(code, name):
    """Whether a line of `code` seems to change a variable, or to give its address away."""
    return re.search(rf"(?:\+\+|--|&)\s*{name}\b|(?<![\w.>]){name}(?:\[[^;]*?\]|\.\w+)*\s*"
                     rf"(?:\+\+|--|(?:[-+*/%|&^]|<<|>>)?=(?!=))", code)


def find_locals(code):
    # gcc takes a const variable as the expected value of a compare-exchange, and changes it.
    exchanged = set(re.findall(r"compare_exchange\w*\([^;]*?, &(\w+)", code))
    found = []
    for pattern in (VALUE, POINTER_TO_CONST):
        for match in pattern.finditer(code):
            rest = code[match.end():code.find("\n}", match.end())]
            if declares_one(code, match.end()) and match[3] not in exchanged and not changes(rest, match[3]):
                found.append(Local(match.start(3 if match[2] else 1), match[3]))
    return sorted(found, key=lambda local: local.place)


def with_consts(text, found):
    """`text` with const at all of `found` that may have it; and where those are in it now."""
    parts, places, last, added = [], [], 0, 0
    for local in found:
        places.append(local.place + added)
        if local.can_be_const:
            parts += [text[last:local.place], "const "]
            last, added = local.place, added + len("const ")
    return "".join(parts) + text[last:], places


def compile_errors(path, text, command):
    """(line, message) of all that the compiler says of `text` in place of the file."""
    arguments = shlex.split(command["command"].split(" -o ")[0].replace("ccache ", ""))
    kept = [a for i, a in enumerate(arguments)
            if a != "-MD" and a not in ("-MT", "-MF") and arguments[i - 1] not in ("-MT", "-MF")]
    beside = ["-I" + os.path.dirname(path)] if path.startswith(("bench", "fuzz")) else []
    done = subprocess.run(
        [*kept, *beside, "-fsyntax-only", "-Wcast-qual", "-fdiagnostics-format=json", "-x", "c", "-"],
        input=text, capture_output=True, text=True, cwd=command["directory"])
    errors = []
    for said in json.loads(done.stderr.splitlines()[0]) if done.stderr.strip() else []:
        inside = [l["caret"] for part in (said, *said.get("children", [])) for l in part["locations"]
                  if l["caret"]["file"] == "<stdin>"]
        if inside:
            errors.append((inside[0]["line"], said["message"]))
    return errors


def statement_around(lines, line):
    """The statement that line `line` (from 1) is a part of, to the end of its parentheses."""
    first = last = line - 1
    while first > 0 and not lines[first - 1].rstrip().endswith((";", "{", "}", ":")):
        first -= 1
    depth = lines[first].count("(") - lines[first].count(")")
    while last + 1 < len(lines) and (last < line - 1 or depth > 0 or
                                     not lines[last].rstrip().endswith((";", "{", "}"))):
        last += 1
        depth = sum(l.count("(") - l.count(")") for l in lines[first:last + 1])
    return "\n".join(lines[first:last + 1])


def take_back(text, places, found, line, message):
    """Takes const from what an error is about: true when that was any."""
    end = sum(len(l) + 1 for l in text.split("\n")[:line])
    named = re.search(r"read-only \w+ ‘([^’]*)’", message)
    for about in ([named[1]] if named else []) + [statement_around(text.split("\n"), line)]:
        took = False
        for name in set(re.findall(r"[A-Za-z_]\w*", about)):
            nearest = [local for local, place in zip(found, places)
                       if local.name == name and local.can_be_const and place <= end]
            if nearest:
                nearest[-1].can_be_const = False
                took = True
        if took:
            return True
    return False


def is_compiled(path, text, command, local):
    """Whether the compiler sees `local`: another `#if` branch accepts anything."""
    return bool(compile_errors(path, text[:local.place] + "@ " + text[local.place:], command))


def find_constant_locals(path, text, command):
    """The locals that could be const: tries all, and takes back what the compiler objects to."""
    found = find_locals(blanked(text))
    known = None  # lines that the file has errors in as it is: casts that drop const
    while any(local.can_be_const for local in found):
        tried, places = with_consts(text, found)
        errors = compile_errors(path, tried, command)
        if errors and known is None:
            known = {line for line, *_ in compile_errors(path, text, command)}
        errors = [e for e in errors if e[0] not in known] if errors else []
        if not [take_back(tried, places, found, *e) for e in errors].count(True):
            if errors:
                raise RuntimeError(f"{path}:{errors[0][0]}: {errors[0][1]}")
            break
    return [local for local in found if local.can_be_const and is_compiled(path, text, command, local)]


# --- The command -----------------------------------------------------------------------------------

def commands_of(build):
    """{path: how gcc compiles it}; the player's second builds left out. Empty for other compilers."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        return {os.path.relpath(c["file"], ROOT): c for c in json.load(file)
                if "/player_" not in c["command"] and "gcc " in c["command"]}


def check(path, command, fix):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        text = file.read()
    found = list(find_in_lines(path, text))
    constant = find_constant_locals(path, text, command) if command and path.endswith(".c") else []
    if constant and fix:
        with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
            file.write(with_consts(text, constant)[0])
    elif constant:
        found += [(path, line_of(text, l.place), f"`{l.name}` never changes: make it const")
                  for l in constant]
    return found


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--fix", action="store_true", help="add const and format")
    arguments.add_argument("--build", default=os.path.join(ROOT, "build", "dev"))
    arguments.add_argument("files", nargs="*")
    asked = arguments.parse_args()
    commands = commands_of(asked.build)
    files = [os.path.relpath(f, ROOT) for f in asked.files] or sorted(
        os.path.relpath(os.path.join(folder, name), ROOT)
        for top in FOLDERS for folder, _, names in os.walk(os.path.join(ROOT, top))
        for name in names if name.endswith((".c", ".h", ".inc")))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [f for part in pool.map(lambda path: check(path, commands.get(path), asked.fix), files)
                 for f in part]
    for path, line, what in found:
        print(f"{path}:{line}: {what}")
    how = ["-i"] if asked.fix else ["--dry-run", "-Werror"]
    formatted = subprocess.run(["clang-format", *how, *files], cwd=ROOT)
    print(f"{len(files)} files, {len(found)} findings")
    return 1 if found or formatted.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
