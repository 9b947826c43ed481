"""Signatures of Lua's functions say which arguments name resources (lua_signature.h): held to
what the C sources check with ct_check_resource."""

import glob
import os
import re
import sys

root = os.environ.get("CUTTLE_SOURCE") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

FUNCTION = re.compile(r"^(?:static )?int (\w+)\(lua_State \*L\) \{", re.M)
CHECK = re.compile(r'ct_check_resource\(L, (\d+), "(\w+)"')
ROW = re.compile(r'\{\s*"(\w+)",\s*(\w+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+),')
CALL = re.compile(r'\.call = (\w+),\s*\.call_signature = ((?:"(?:[^"\\]|\\.)*"\s*)+),')


def text_of(literals):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))


def arguments(signature):
    """The types of a signature's arguments."""
    inner = signature[1:signature.rindex(") ->")]
    parts, depth, start = [], 0, 0
    for i, c in enumerate(inner):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(inner[start:i])
            start = i + 1
    parts.append(inner[start:])
    return [part.split(":", 1)[1].strip() for part in parts if ":" in part]


def main():
    sources = {path: open(path, encoding="utf-8").read()
               for path in sorted(glob.glob(os.path.join(root, "src/script/**/*.c"), recursive=True))}
    rows = {}  # from a C function to signatures, whose first argument is Lua's number 1
    for path, source in sources.items():
        for name, function, signature in ROW.findall(source):
            rows.setdefault(function, []).append((path, name, arguments(text_of(signature))))
        for function, signature in CALL.findall(source):
            # What is called itself, the module's table, is argument 1.
            rows.setdefault(function, []).append(
                (path, function, ["table"] + arguments(text_of(signature))))
    failures, checks = [], 0
    for path, source in sources.items():
        starts = [(m.start(), m.group(1)) for m in FUNCTION.finditer(source)]
        for check in CHECK.finditer(source):
            function = [name for start, name in starts if start < check.start()][-1]
            number, wanted = int(check.group(1)), f"string({check.group(2)})"
            found = [row for row in rows.get(function, [])
                     if row[0] == path or not re.search(rf"static int {function}\(", source)]
            checks += 1
            if not found:
                failures.append(f"{path}: {function} is in no table of functions")
            for _, name, types in found:
                if number > len(types) or types[number - 1].rstrip("?*+") != wanted:
                    failures.append(f"{path}: argument {number} of {name} is checked as "
                                    f"{wanted}, its signature has {types}")
    for failure in failures:
        print(failure)
    print(f"{checks} checks of resources")
    return 1 if failures or checks < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
