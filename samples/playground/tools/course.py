"""Reads the obstacle course of the engine's mover tests: the C header with its pieces as data.

The header is the source; nothing of it is repeated here. `stations(text)` gives a dictionary: name of
the station, list of pieces with the members of `course_piece`.
"""

import re

TOKEN = re.compile(r'"[^"]*"|&?[A-Za-z_]\w*|-?\d+(?:\.\d*)?(?:e-?\d+)?f?|[{}=,.\[\]()]')
PIECE = {"shape": "COURSE_BOX", "body": "COURSE_STATIC", "position": [0, 0, 0], "size": [0, 0, 0],
         "turned": [0, 0, 0], "mass": 0, "friction": 0, "velocity": [0, 0, 0], "spin": 0,
         "profile": None}


class Reader:
    """A value in braces, as C writes initial values: an object when it has names, else a list."""

    def __init__(self, text):
        self.tokens, self.place = TOKEN.findall(text), 0

    def peek(self):
        return self.tokens[self.place]

    def take(self, wanted=None):
        token = self.tokens[self.place]
        if wanted and token != wanted:
            raise ValueError("expected %s, found %s" % (wanted, token))
        self.place += 1
        return token

    def value(self):
        if self.peek() == "{":
            return self.braces()
        token = self.take()
        if re.match(r"-?\d", token):
            number = float(token.rstrip("f"))
            return int(number) if number == int(number) else number
        return token.strip('"&')

    def braces(self):
        self.take("{")
        members, items = {}, []
        while self.peek() != "}":
            if self.peek() == ".":
                self.take(".")
                name = self.take()
                self.take("=")
                members[name] = self.value()
            else:
                items.append(self.value())
            if self.peek() == ",":
                self.take(",")
        self.take("}")
        return members if members else items


def with_macros(text):
    """The text with the pieces that are macros written out."""
    for name, parameters, body in re.findall(
            r"#define (\w+)(?:\(([^)]*)\))?((?:[^\n]*\\\n)*[^\n]*)\n", text):
        body = body.replace("\\\n", " ").strip()
        if name == "COURSE_STATION":
            continue
        text = text.replace("#define " + name, "#define")
        if not parameters:
            text = re.sub(r"\b%s\b" % name, lambda m: body, text)
            continue
        names = [p.strip() for p in parameters.split(",")]

        def written(match):
            result = body
            for parameter, argument in zip(names, match.group(1).split(",")):
                result = re.sub(r"(?<![.\w])%s\b" % parameter, argument.strip(), result)
            return result

        text = re.sub(r"\b%s\(([^)]*)\)" % name, written, text)
    return text


def arrays(text, kind):
    """Name: text of the initial value, of all constants of a type."""
    found = re.findall(r"static const %s (\w+)(?:\[\])? =\s*(\{.*?\});" % kind, text, re.S)
    return dict(found)


def stations(text):
    text = with_macros(re.sub(r"//[^\n]*", "", text))
    profiles = {name: Reader(value).value() for name, value in arrays(text, "course_profile").items()}
    pieces = {}
    for name, value in arrays(text, "course_piece").items():
        pieces[name] = []
        for piece in Reader(value).value():
            piece = {**PIECE, **piece}
            piece["size"] = (piece["size"] + [0, 0, 0])[:3]
            if piece["profile"]:
                piece["profile"] = profiles[piece["profile"]]
            pieces[name].append(piece)
    return {station: pieces[array]
            for station, array in re.findall(r'COURSE_STATION\("([^"]+)",\s*(\w+)\)', text)}
