"""A server of PostgreSQL in a folder of its own, for tests. It is reached by a socket in that folder only."""

import glob
import os
import shutil
import subprocess
import tempfile


def programs():
    """The folder of initdb and pg_ctl, or None."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    return os.path.dirname(found[-1]) if found else None


def missing():
    """Why no server can be started, or None."""
    return None if programs() else "PostgreSQL is not installed (package postgresql-15)"


class PostgresServer:
    """Runs until the end of the `with` block."""

    def __enter__(self):
        # Short: the path of a socket has at most 107 bytes.
        self.folder = tempfile.mkdtemp(prefix="cuttle-pg-", dir="/tmp")
        # PostgreSQL refuses to run as root.
        self.prefix = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if self.prefix:
            shutil.chown(self.folder, "postgres")
        self.run("initdb", "-D", f"{self.folder}/data", "-A", "trust", "-U", "cuttle", "--no-sync", "-E", "UTF8",
                 "--locale=C")
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-w", "-l", f"{self.folder}/log", "-o",
                 f"-c listen_addresses= -k {self.folder} -c fsync=off -c autovacuum=off", "start")
        self.location = f"host={self.folder} user=cuttle dbname=postgres"
        return self

    def run(self, program, *arguments):
        subprocess.run([*self.prefix, os.path.join(programs(), program), *arguments], check=True, cwd="/tmp",
                       stdout=subprocess.DEVNULL)

    def __exit__(self, *_):
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "stop")
        shutil.rmtree(self.folder, True)
