"""Every header of src and include documents what it declares. With folders as arguments: only theirs.

Asked of each header:
- It opens with a line `// <file name>: ...`, which says what the header is for.
- Each function, declared or defined in the header, has a comment: directly above it, or on one of its
  own lines up to its `{` or `;`. One that is declared and defined in the header, or twice under `#if`,
  needs it the first time only.
- Each struct, union and enum with a name and a body has a comment above it, on one of its lines, or
  at its members. `typedef struct ct_x ct_x;`, variables, macros, nameless enums and types of
  functions need none.
- A function of Lua's, `int ct_x(lua_State *L);`, needs none: the row of its module's table has its
  signature and what it does, once for all (lua/lua_module.h).
- A comment starts in the first column and counts for the declarations that follow it without a blank
  line or another comment between, but for no more than MOST_IN_GROUP of them: a longer group
  needs comments on its lines, or blank lines and a comment each. Declarations with a comment on
  their own line do not count. Lines of the preprocessor are passed over, so that `#if` may be
  between a comment and its function.
- The comment that opens the header counts for the whole header only, not for what follows it.
- A comment says more than the name does: without articles, "returns" and the like, and without the
  ends of verbs and plurals, its words differ from those of the name (without the prefix `ct_`).
- Example code in the opening comment compiles: `Example (tests/<path>):` names a test, in which the
  indented lines that follow are found in their order, with other lines between.
"""

import os
import re
import sys

MOST_IN_GROUP = 4

root = os.environ.get("CUTTLE_SOURCE") or os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

LITERAL_OR_COMMENT = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
TYPE_WITH_BODY = re.compile(r"(?:typedef\s+)?(?:struct|union|enum)\b\s*(\w*)[^{(]*\{")
ATTRIBUTE = re.compile(r"__attribute__\s*\(\(.*?\)\)|\b_?[A-Z][A-Z_0-9]*\s*\([^()]*\)|\b_Alignas\s*\([^()]*\)",
                       re.S)
LUA_FUNCTION = re.compile(r"^int \w+\(lua_State \*L\);$")
FUNCTION = re.compile(r"^[\w\s*]*\(\s*\*\s*(\w+)\s*\(|^[\w\s*]*?\b(\w+)\s*\(")

EXAMPLE = re.compile(r"^// Example \((\S+)\):\n//\n((?://(?:     [^\n]*)?\n)+)", re.M)

# Words that a comment may have beside the words of the name without saying more.
EMPTY_WORDS = {"a", "an", "the", "of", "its", "this", "that", "returns", "return", "whether", "does",
               "is", "are", "it", "for", "to", "ct"}


class Declaration:
    def __init__(self, kind, name, first, head_last, last):
        self.kind = kind            # "function" or "type"; None: needs no comment
        self.name = name
        self.first = first          # lines from 0
        self.head_last = head_last  # the line of its `{` or `;`
        self.last = last


def blanked(text):
    """`text` without comments, insides of literals, directives and `extern "C" {`, places kept."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])

    def literal(match):
        if match[0][0] in "\"'":
            return match[0][0] + "_" * (len(match[0]) - 2) + match[0][-1]
        return blank(match)

    code = DIRECTIVE.sub(blank, LITERAL_OR_COMMENT.sub(literal, text))
    return re.sub(r'extern\s*"_"\s*\{', blank, code)


def classify(code):
    """The kind and name of the declaration `code`, which is cut behind its body's `{` or its `;`."""
    with_body = TYPE_WITH_BODY.match(code)
    if with_body:
        name = with_body[1] or (re.search(r"(\w+)\s*;$", code) or ["", ""])[1]
        return ("type", name) if name else (None, "")
    code = ATTRIBUTE.sub(" ", code)
    if (code.startswith(("typedef", "_Static_assert", "static_assert")) or
            "=" in code.split("(")[0] or LUA_FUNCTION.match(code)):
        return None, ""
    function = FUNCTION.match(code)
    return ("function", function[1] or function[2]) if function else (None, "")


def find_declarations(text):
    code = blanked(text)
    found, start, depth, head_end = [], None, 0, None

    def line(place):
        return code.count("\n", 0, place)

    def close(end):
        nonlocal start, head_end
        kind, name = classify(code[start:end + 1])
        found.append(Declaration(kind, name, line(start), line(end if head_end is None else head_end),
                                 line(end)))
        start = head_end = None

    for place, c in enumerate(code):
        if start is None:
            if c.isspace() or c in ";}":  # `}` ends an `extern "C" {`
                continue
            start = place
        if c == "{":
            if depth == 0 and head_end is None:
                head_end = place
            depth += 1
        elif c == "}":
            depth -= 1
            if depth == 0 and ")" in code[start:head_end] and not TYPE_WITH_BODY.match(code[start:place]) \
                    and "=" not in code[start:head_end]:
                close(place)
        elif c == ";" and depth == 0:
            close(place)
    return found


def comment_on(line):
    """The comment behind code on `line`, or ""."""
    for match in LITERAL_OR_COMMENT.finditer(line):
        if match[0][0] == "/" and line[:match.start()].strip():
            return match[0]
    return ""


def own_comment(declaration, lines):
    """The comments on the lines of a declaration: of a function up to its body, of a type all."""
    if declaration.kind == "type":
        own = lines[declaration.first:declaration.last + 1]
        return " ".join(m[0] for m in LITERAL_OR_COMMENT.finditer("\n".join(own)) if m[0][0] == "/")
    own = lines[declaration.first:declaration.head_last + 1]
    return " ".join(filter(None, map(comment_on, own)))


def words(text):
    """The words of a comment or name that say something, without the ends of verbs and plurals."""
    found = set()
    for word in re.findall(r"[a-z0-9]+", text.lower().replace("_", " ")):
        if word not in EMPTY_WORDS:
            found.add(re.sub(r"(?<=\w\w)(es|s|e)$", "", word))
    return found


def find_missing(name, text):
    """What is wrong in the header `name`: (line from 1, what)."""
    lines = text.split("\n")
    if not re.match(r"// " + re.escape(name) + r": \S", lines[0]):
        yield 1, f"expected `// {name}: ...`, which says what the header is for"
    opening = 0
    while opening < len(lines) and lines[opening].startswith("//"):
        opening += 1
    by_line = {}
    for declaration in find_declarations(text):
        by_line.setdefault(declaration.first, []).append(declaration)

    above, num_covered, number, seen = "", 0, opening, set()
    while number < len(lines):
        line = lines[number]
        if number in by_line:
            for declaration in by_line[number]:
                comment = own_comment(declaration, lines)
                if declaration.kind == "function" and declaration.name in seen:
                    continue
                seen.add(declaration.name)
                if declaration.kind and not comment:
                    num_covered += 1
                    comment = above
                    if not above:
                        yield number + 1, f"{declaration.name} has no comment"
                    elif num_covered == MOST_IN_GROUP + 1:
                        yield number + 1, (f"{declaration.name} is the {num_covered}th declaration under "
                                           f"one comment: expected at most {MOST_IN_GROUP}")
                if declaration.kind and comment and words(comment) == words(declaration.name):
                    yield number + 1, f"the comment of {declaration.name} only restates its name"
            number = max(d.last for d in by_line[number]) + 1
            continue
        if re.match(r"//|/\*", line):
            first = number
            while number + 1 < len(lines) and lines[number + 1].startswith(("//", " *")):
                number += 1
            above, num_covered = " ".join(lines[first:number + 1]), 0
        elif not line.strip():
            above, num_covered = "", 0
        number += 1


def find_untested_examples(text, read):
    """Lines of examples that the tests they name have not: (line from 1, what)."""
    for match in EXAMPLE.finditer(text):
        tested = iter([line.strip() for line in read(match[1]).split("\n")])
        first = text.count("\n", 0, match.start(2)) + 1
        for number, line in enumerate(match[2].split("\n"), first):
            if line[2:].strip() and line[2:].strip() not in tested:
                yield number, f"this line of the example is not in {match[1]}, or not in this order"
                break


# --- The checker itself ----------------------------------------------------------------------------

OPENING = "// a.h: what the test reads.\n#pragma once\n"

GOOD = [
    "// Frees the pool (NULL is fine).\nvoid ct_pool_destroy(ct_pool *pool);\n",
    "int ct_unit_node(lua_State *L);\n",
    "void ct_pool_trim(ct_pool *pool); // frees what nobody uses\n",
    "int ct_pool_trim(ct_pool *pool,\n                 int to); // to so many blocks\n",
    "// Parts, in metres.\nfloat ct_x(v a);\nfloat ct_y(v a);\nfloat ct_z(v a);\nfloat ct_w(v a);\n",
    "// Parts, in metres.\nfloat ct_x(v a);\nfloat ct_y(v a);\nfloat ct_l(v a); // the length\n"
    "float ct_z(v a);\nfloat ct_w(v a);\n",
    "// Adds so that overflow shows.\n#if defined(X)\nint ct_add(int a);\n#else\n"
    "static inline int ct_add(int a) {\n    return a;\n}\n#endif\n",
    "// A point in world space.\ntypedef struct ct_point {\n    float x; // right\n\n    float y;\n} ct_point;\n",
    "typedef struct ct_point {\n    float x; // right\n    // Forward.\n    float y;\n} ct_point;\n",
    "typedef struct ct_point {\n    float x;\n} ct_point; // in world space\n",
    "typedef struct ct_point { float x; } ct_point; // in world space\n",
    "typedef struct ct_point ct_point;\n\nextern const int ct_all[3];\n\nenum { CT_MANY = 3 };\n",
    "typedef void (*ct_call)(void *user);\n\n#define CT_F(x) \\\n    f(x)\n\n_Static_assert(1, \"a\");\n",
    'extern "C" {\n// Starts it, on any thread.\nvoid ct_go(void);\n}\n',
    "// Writes like printf.\nvoid ct_out(const char *f, ...) __attribute__((format(printf, 1, 2)));\n",
    "static const int ct_table[2] = {1, 2};\n",
    "static inline int ct_a(void); // three\n\nstatic inline int ct_a(void) {\n    return 3;\n}\n",
]
BAD = [
    ("void ct_pool_trim(ct_pool *pool);\n", "ct_pool_trim has no comment"),
    ("// Frees the rest.\n\nvoid ct_pool_trim(ct_pool *pool);\n", "ct_pool_trim has no comment"),
    ("int ct_check_node(lua_State *L, int argument);\n", "ct_check_node has no comment"),
    ("static inline int ct_add(int a) {\n    return a; // what it got\n}\n", "ct_add has no comment"),
    ("// Adds with a carry.\nstatic inline int ct_add(int a) {\n    return a;\n}\n\nint ct_b(void);\n",
     "ct_b has no comment"),
    ("int ct_a(void); // the first\n                // of all\nint ct_b(void);\n", "ct_b has no comment"),
    ("const ct_thing *ct_a(void) CT_PRINTF(1, 2);\n", "ct_a has no comment"),
    ("void (*ct_a(int x))(int);\n", "ct_a has no comment"),
    ("typedef struct ct_point {\n    float x;\n    float y;\n} ct_point;\n", "ct_point has no comment"),
    ("typedef enum ct_kind { CT_KIND_NONE } ct_kind;\n", "ct_kind has no comment"),
    ("typedef struct {\n    float x;\n} ct_point;\n", "ct_point has no comment"),
    ("struct ct_point {\n    float x;\n};\n", "ct_point has no comment"),
    ("// Parts.\nint ct_a(v);\nint ct_b(v);\nint ct_c(v);\nint ct_d(v);\nint ct_e(v);\nint ct_f(v);\n",
     "ct_e is the 5th declaration under one comment: expected at most 4"),
    ("// Destroys the pool.\nvoid ct_pool_destroy(ct_pool *pool);\n",
     "the comment of ct_pool_destroy only restates its name"),
    ("bool ct_guid_is_zero(ct_guid g); // whether the guid is zero\n",
     "the comment of ct_guid_is_zero only restates its name"),
    ('extern "C" {\nvoid ct_go(void);\n}\n', "ct_go has no comment"),
]


def check_the_checker():
    for text in GOOD:
        found = list(find_missing("a.h", OPENING + "\n" + text))
        assert not found, f"{text}{found}"
    for text, expected in BAD:
        found = [what for _, what in find_missing("a.h", OPENING + "\n" + text)]
        assert found == [expected], f"{text}{found}"
    assert list(find_missing("a.h", "// b.h: of another file.\n#pragma once\n"))[0][0] == 1
    assert list(find_missing("a.h", "#pragma once\n"))
    found = list(find_missing("a.h", OPENING + "void ct_go(void);\n"))  # the opening counts for none
    assert found == [(3, "ct_go has no comment")], found
    example = "// a.h: what.\n//\n// Example (tests/a.c):\n//\n//     int a;\n//\n//     int b;\n#pragma once\n"
    assert not list(find_untested_examples(example, lambda _: "  int a;\n  int c;\n  int b;\n"))
    found = [line for line, _ in find_untested_examples(example, lambda _: "int b;\nint a;\n")]
    assert found == [7], found


def read(path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def main():
    check_the_checker()
    folders = sys.argv[1:] or ["src", "include"]
    wrong, num_headers = [], 0
    for top in folders:
        for folder, _, names in sorted(os.walk(os.path.join(root, top))):
            for name in sorted(n for n in names if n.endswith(".h")):
                path = os.path.relpath(os.path.join(folder, name), root)
                text = read(path)
                num_headers += 1
                wrong += [f"{path}:{line}: {what}" for line, what in
                          [*find_missing(name, text), *find_untested_examples(text, read)]]
    assert num_headers > 200 or len(sys.argv) > 1, "the headers are not where they are expected"
    for line in wrong:
        print(line)
    print(f"{num_headers} headers, {len(wrong)} findings")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
