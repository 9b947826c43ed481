"""A client of `cuttle db session`: objects of a database from Python. docs/database.md explains what they are.

    from cuttle_db import Database

    with Database("game.db") as db:
        for guid in db.objects():
            keys = db.object(guid)
            if keys.get("type") == "png" and keys["width"] & (keys["width"] - 1):
                print(keys["path"])

Values: None, bool, float, str, and as in the text format {"reference": GUID}, {"set": [GUID, ...]} and
{"blob": hash, "bytes": size}.
"""

import json
import os
import subprocess
import tempfile
import uuid

ROOT = "00000000-0000-0000-0000-000000000000"


class DatabaseError(Exception):
    """What the database answered to a request that it could not do."""


def _file(path):
    """A path in a request: as it is, or as JSON where a line cannot hold it."""
    path = os.fspath(path)
    return json.dumps(path, ensure_ascii=False) if "\n" in path or path.startswith('"') else path


class Database:
    """A database, open at a branch, in a process of `cuttle`. Ends with the `with` block."""

    def __init__(self, location, branch="main", author=None, cuttle="cuttle"):
        options = ["--branch", branch, *(["--author", author] if author else [])]
        self.messages = tempfile.TemporaryFile()  # what it writes there never stops it, as a full pipe would
        self.process = subprocess.Popen([cuttle, "db", "session", location, *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.messages)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the process, which keeps changes that were not committed as local ones."""
        if self.process.stdin.closed:
            return
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass  # it ended before
        self.process.wait()
        self.process.stdout.close()
        self.messages.close()

    def ask(self, request):
        """Sends a line, text or bytes, and returns the answer; raises DatabaseError for an error."""
        line = request if isinstance(request, bytes) else request.encode("utf-8", "surrogateescape")
        if b"\n" in line or b"\0" in line:
            raise DatabaseError(f"a request is one line without zero bytes; found {request[:100]!r}")
        try:
            self.process.stdin.write(line + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # its reason follows
        line = self.process.stdout.readline()
        if not line.endswith(b"\n"):
            self.process.wait()
            self.messages.seek(0)
            raise DatabaseError(self.messages.read().decode(errors="replace").strip() or "cuttle db session ended")
        answer = json.loads(line)
        if "error" in answer:
            raise DatabaseError(answer["error"])
        return answer

    # --- Reading ----------------------------------------------------------------------------------

    def objects(self):
        """The GUIDs of all objects, local changes included."""
        return self.ask("objects")["objects"]

    def object(self, guid):
        """The keys of an object, with their values."""
        return self.ask(f"object {guid}")["keys"]

    def find(self, **keys):
        """Yields (GUID, keys) of the objects with these values: db.find(type="png")."""
        for guid in self.objects():
            found = self.object(guid)
            if all(found.get(key) == value for key, value in keys.items()):
                yield guid, found

    # --- Changing: local until commit -------------------------------------------------------------

    def change(self, operation):
        """Makes an operation: {"op": "change_key", "object": GUID, "key": …, "value": …}."""
        self.ask("change " + json.dumps(operation))

    def create(self, guid=None):
        """Creates an object and returns its GUID."""
        guid = guid or str(uuid.uuid4())
        self.change({"op": "create", "object": guid})
        return guid

    def destroy(self, guid):
        self.change({"op": "destroy", "object": guid})

    def set(self, guid, key, value):
        self.change({"op": "change_key", "object": guid, "key": key, "value": value})

    def add(self, guid, key, element):
        self.change({"op": "add_to_set", "object": guid, "key": key, "element": element})

    def remove(self, guid, key, element):
        self.change({"op": "remove_from_set", "object": guid, "key": key, "element": element})

    def local(self):
        """The changes that are not committed."""
        return self.ask("local")["operations"]

    def revert(self):
        """Forgets them."""
        self.ask("revert")

    def commit(self, message=""):
        """Commits them, and returns the time of the commit."""
        return self.ask("commit " + json.dumps(message))["time"]

    # --- Others -----------------------------------------------------------------------------------

    def update(self, seconds=0):
        """Waits at most so long for commits of others; returns their operations."""
        return self.ask(f"update {seconds}")["operations"]

    def conflicts(self):
        """Decisions of merges: {"won": operation, "lost": operation} each."""
        return self.ask("conflicts")["conflicts"]

    # --- Blobs ------------------------------------------------------------------------------------

    def write_blob(self, path):
        """Brings a file into the database; returns the value that names it."""
        return self.ask("write_blob " + _file(path))["value"]

    def read_blob(self, value, path):
        """Writes a blob into a file."""
        self.ask(f"read_blob {json.dumps(value, separators=(',', ':'))} {_file(path)}")
