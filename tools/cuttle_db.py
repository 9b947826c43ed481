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
import subprocess
import uuid

ROOT = "00000000-0000-0000-0000-000000000000"


class DatabaseError(Exception):
    """What the database answered to a request that it could not do."""


class Database:
    """A database, open at a branch, in a process of `cuttle`. Ends with the `with` block."""

    def __init__(self, location, branch="main", author=None, cuttle="cuttle"):
        options = ["--branch", branch, *(["--author", author] if author else [])]
        self.process = subprocess.Popen([cuttle, "db", "session", location, *options], text=True, encoding="utf-8",
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the process, which keeps changes that were not committed as local ones."""
        if self.process.stdin.closed:
            return
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()

    def ask(self, request):
        """Sends a line and returns the answer; raises DatabaseError for an error."""
        try:
            self.process.stdin.write(request + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # its reason follows
        line = self.process.stdout.readline()
        if not line:
            raise DatabaseError(self.process.stderr.read().strip() or "cuttle db session ended")
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
        return self.ask("commit " + message.replace("\n", " "))["time"]

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
        return self.ask(f"write_blob {path}")["value"]

    def read_blob(self, value, path):
        """Writes a blob into a file."""
        self.ask(f"read_blob {json.dumps(value, separators=(',', ':'))} {path}")
