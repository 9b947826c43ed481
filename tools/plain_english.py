#!/usr/bin/env python3
"""Finds phrases that are not plain English in messages, docs and headers.

    tools/plain_english.py [FILE...]      checks the files; without files, the whole project

Checks
- the string literals of src: messages, command help, the Lua reference;
- the comments of src's headers, and with `--sources` those of its .c files too;
- all text of *.md;
- the comments of the sources and scripts in core, samples and templates;
- all text of the Python tools and the shell scripts.

Prints a line for each phrase, FILE:LINE:COLUMN: "phrase": what to write instead, and the number of
them. Exits with 1 when it found any.
"""

import os
import re
import subprocess
import sys

ROOT = os.environ.get("CUTTLE_SOURCE") or os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# "who" is right after people; a program, a file or a function is "what" or "which".
PEOPLE = ("people", "player", "players", "user", "users", "someone", "anyone", "everyone", "no one",
          "person", "programmer", "programmers", "artist", "artists", "designer", "designers",
          "translator", "translators", "developer", "developers", "those", "others", "contributors")
WHO = "".join(rf"(?<!\b{word} )" for word in PEOPLE) + r"\bwho(?:m|ever)?\b"

# (pattern, what to write instead). Case does not matter.
PHRASES = [(re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in [
    (r"(?<!there )(?<!} )\b(?:is|are|was|were) (?-i:none)\b(?! of\b)",
     '"is invalid", "unknown …" or "is not a …"'),
    (r"\black(?:s|ed)?\b(?=\s*(?:$|[.,;:)!?|]|(?:and|or|in|then|when|here|there|now)\b))",
     '"… is missing"'),
    (r"\bhad from\b", '"get one with …"'),
    (r"\bthere (?:is|are) no [\w ]+ of (?:that|this) name\b", '"unknown …; did you mean …?"'),
    (r"\b(?:tell|tells|telling|told)\b", '"reports", "prints", "explains", "gives", "distinguishes"'),
    (r"(?<!\ba )(?<!\bthe )(?<!\bapple )(?<![/\"])\b(?:stand|stands|stood|standing(?! frames\b))\b"
     r"(?! for\b|s? in for\b|-in|\.\w|\")", '"is", "is in", "waits"'),
    (WHO, '"which", or the name of what does it'),
    (r"\banew\b", '"again"'),
    (r"\bnobody\b", '"no one" of people; of code, name what does not'),
    (r"\b(?:for|in) want of\b", '"without", "because there is no …"'),
    (r"\b(?:whence|whither|thereof|whereof|wherein|thereby|hereby|thereto|lest|ought|hence|albeit)\b",
     "everyday words"),
    (r"\bsave for (?:the|what|a|an|those)\b", '"except …"'),
    (r"\bas (?:it|they) (?:lies?|stands?)\b", '"as it is"'),
    (r"\b(?:bears?|borne|bore) (?:it|them|a|the|tags?|names?)\b", '"has …"'),
]]

LITERAL_OR_COMMENT = re.compile(
    r'(?P<comment>//[^\n]*(?:\n[ \t]*//[^\n]*)*|/\*.*?\*/)'
    r'|(?P<string>"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*)'
    r"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
SOURCE_COMMENT = re.compile(r"(?P<comment>(?://|--)[^\n]*|/\*.*?\*/)|(?P<string>\"[^\"\n]*\")", re.DOTALL)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[^\n]*', re.MULTILINE)

# Text between the pieces of one comment or one literal, which may be in the middle of a phrase.
SEAM = re.compile(r'(?:\\n)?"\s*"|\n[ \t]*(?://+|#+|--+)[ \t]?|\n')


def kept(text, is_kept, tokens=LITERAL_OR_COMMENT):
    """`text` of code with blanks in place of all but the strings, or comments, that `is_kept` wants."""
    parts, end = [], 0
    text = INCLUDE.sub(lambda m: " " * len(m[0]), text)
    for match in tokens.finditer(text):
        parts.append(re.sub(r"[^\n]", " ", text[end:match.start()]) + ".")
        kind = match.lastgroup
        is_wanted = kind is not None and is_kept(kind)
        parts.append((match[0] if is_wanted else re.sub(r"[^\n]", " ", match[0]))[1:])
        end = match.end()
    return "".join(parts)


def checked_text(path, text, with_sources):
    """What is checked of a file: `text` with the rest blank and each place where it was."""
    if path.endswith((".h", ".hpp")):
        return kept(text, lambda kind: True)
    if path.endswith((".c", ".cpp")):
        return kept(text, lambda kind: kind == "string" or with_sources)
    if not path.endswith((".md", ".py")) and "." in os.path.basename(path):
        return kept(text, lambda kind: kind == "comment", SOURCE_COMMENT)
    return text


def flat(text):
    """`text` with seams as blanks of the same length, so that phrases across lines are found."""
    return SEAM.sub(lambda m: " " * len(m[0]), text)


def phrases(text):
    """(place, phrase, what to write instead) of each phrase, in order."""
    line = re.sub(r"[`*_]", " ", flat(text))
    # Blanks between words count as one.
    starts, squeezed = [], []
    for match in re.finditer(r" +|[^ ]", line):
        starts.append(match.start())
        squeezed.append(match[0][0])
    line = "".join(squeezed)
    found = [(starts[m.start()], m[0], instead)
             for pattern, instead in PHRASES for m in pattern.finditer(line)]
    return sorted(found)


def default_files():
    names = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    own = os.path.relpath(os.path.abspath(__file__), ROOT)
    return [name for name in names if name != own and (
        name.endswith(".md") or name in ("run", "test", "setup/install") or
        re.match(r"src/.*\.(c|h|cpp)$", name) or re.match(r"tools/.*\.py$", name) or
        re.match(r"(core|samples|templates)/.*\.(lua|unit|level|material|shader|glsl|package|config|"
                 r"render_config|input|strings|texture|mesh)$", name))]


def main(arguments):
    if "-h" in arguments or "--help" in arguments:
        print(__doc__.strip())
        return 0
    with_sources = "--sources" in arguments
    files = [a for a in arguments if a != "--sources"]
    unknown = [a for a in files if a.startswith("-")]
    if unknown:
        print(f'plain_english.py: unknown option "{unknown[0]}"; try --help', file=sys.stderr)
        return 2
    count = 0
    for name in files or default_files():
        path = name if files else os.path.join(ROOT, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for place, phrase, instead in phrases(checked_text(path, text, with_sources)):
            line = text.count("\n", 0, place) + 1
            column = place - text.rfind("\n", 0, place)
            print(f'{name}:{line}:{column}: "{phrase}": write {instead}')
            count += 1
    print(f"{count} phrases")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
