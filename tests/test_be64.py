"""Compiled data on a machine of the other byte order: the loaders' own files, built for s390x and run
under qemu, read every value of `be64` data as this machine reads it of `linux` data."""

import functools
import glob
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

from support_all_types import write_all_types
from support_cuttle import BUILD, LIMIT, ROOT, cuttle, read, write

# What checks and reads blobs: files of C and its library only. XXH3 comes in by its header. All of
# the first folder, and of others these.
TYPES = os.path.join(ROOT, "src", "resource", "types")
LOADERS = ["resource/archive/archive", "resource/blob/blob", "resource/blob/blob_layout",
           "resource/blob/content_hash", "resource/blob/data_buffer", "resource/blob/id_table", "resource/catalog",
           "resource/resource_id", "resource/resource_variant", "resource/schema/schema",
           "foundation/memory/allocator", "foundation/error", "foundation/string/string_id",
           "foundation/string/utf8", "foundation/string/wildcard", "resource/types/gui/gui_theme_resource", "resource/types/level/level_members",
           "resource/types/navigation/navigation_resource", "resource/types/navigation/navigation_schema",
           *(f"resource/types/network/network_{name}" for name in ("config_check", "config_resource", "config_schema", "value")),
           *(f"resource/types/flow/{name}" for name in ("flow_resource", "flow_check", "flow_schema", "flow_node_types")),
           *(os.path.relpath(path, os.path.join(ROOT, "src"))[:-2] for path in sorted(glob.glob(os.path.join(TYPES, "flow", "flow_nodes_*.c")))),
           "resource/types/particles/particles_resource", "resource/types/particles/particles_schema", "resource/types/particles/particles_simulator_schema",
           *(f"resource/types/sound/{name}_{part}" for name in ("sound_bus", "sound_event") for part in ("resource", "schema")),
           "resource/types/sound/sound_resource", "resource/types/plugin/plugin_resource",
           *(f"resource/types/component/{name}_data" for name in ("actor", "navigation_agent", "particles", "render", "sound_listener", "sound_source", "tag"))]
FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror",
         "-ffp-contract=off", "-DXXH_INLINE_ALL", "-I" + os.path.join(ROOT, "src")]
NATIVE = ["gcc", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
CROSS = ["s390x-linux-gnu-gcc", "-static"]
PACK = os.path.join(BUILD, "tests", "archive_pack")  # built with the tests
PLATFORMS = ("linux", "be64")
ELF_BYTE_ORDER = {1: "little", 2: "big"}


def must(command, **options):
    """Runs a command to its end; what is missing or fails fails the test, with all it says."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, **options)
    except FileNotFoundError as missing:
        raise AssertionError(f"{missing.filename} is not installed; setup/install installs it") from None
    if done.returncode != 0:
        raise AssertionError(f"{os.path.basename(command[0])}: exit {done.returncode}\n{done.stderr}")
    return done


def build(compiler, folder):
    """The dump built with `compiler`."""
    program = os.path.join(folder, "blob_dump_" + os.path.basename(compiler[0]))
    sources = [*glob.glob(os.path.join(ROOT, "tests", "be64", "*.c")),
               *glob.glob(os.path.join(TYPES, "*.c")),
               *(os.path.join(ROOT, "src", name + ".c") for name in LOADERS)]
    must([*compiler, *FLAGS, "-I" + os.path.join(folder, "include"), *sorted(sources), "-lm",
          "-o", program])
    return program


def hash_header(folder):
    """Gives the cross compiler the one header that its own folders lack, and no other of this machine."""
    os.makedirs(os.path.join(folder, "include"))
    text = must(["gcc", "-M", "-include", "xxhash.h", "-x", "c", "/dev/null"]).stdout
    header = re.search(r"\S*/xxhash\.h", text)[0]
    shutil.copy(header, os.path.join(folder, "include"))


def compiled(project, platform):
    """The files of a project's data that the engine reads."""
    folder = os.path.join(project, ".cuttle", "data", platform)
    cuttle("compile", project, "--platform", platform, check=0)
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name != "index"]


def by_file(text):
    """{file: its lines} of a dump."""
    files = {}
    for part in re.split(r"^(?=file: )", text, flags=re.M):
        if part:
            files[part.split('"', 2)[1]] = part.splitlines()
    return files


def enumerators(header, name):
    """How many values an enum of a header has that is closed by its count."""
    body = re.search(r"typedef enum \w+ \{([^}]*)\} " + name + ";", read(os.path.join(ROOT, "src", header)))[1]
    body = re.sub(r"//.*|^.*(_COUNT|CT_NUM_\w+),?\s*$", "", body, flags=re.M)
    return len(re.findall(r"^\s*\w+", body, re.M))


# What the names of compiled sounds begin with.
SOUND = "90641b51c98b7aac-"


def without_order(line):
    """A line of a sound's data, which are bytes to the dump, with each eight of them sorted: they are
    numbers of 16 bits; of 32 before packets of Vorbis; in a stream of 64, too."""
    head, _, data = line.partition(": ")
    if head == "stream[0].hash":
        return head
    if not head.startswith(("data[", "bytes")):
        return line
    numbers = data.split(" ")
    return head + ": " + " ".join(" ".join(sorted(numbers[i:i + 8]))
                                  for i in range(0, len(numbers), 8))


class Be64(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="cuttle-be64-", dir=BUILD)
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        hash_header(cls.folder)
        projects = {name: os.path.join(cls.folder, name) for name in ("all", "crates")}
        write_all_types(projects["all"])
        shutil.copytree(os.path.join(ROOT, "samples", "crates"), projects["crates"],
                        ignore=shutil.ignore_patterns(".cuttle"))
        with ThreadPoolExecutor() as pool:
            builds = [pool.submit(build, compiler, cls.folder) for compiler in (NATIVE, CROSS)]
            cls.files = {(name, platform): compiled(projects[name], platform)
                         for name in projects for platform in PLATFORMS}
            cls.native, cls.cross = (build.result() for build in builds)
            cls.command = {"linux": [cls.native], "be64": ["qemu-s390x", cls.cross]}
            dumps = {key: pool.submit(must, [*cls.command[key[1]], *files])
                     for key, files in cls.files.items()}
            cls.dumps = {key: by_file(dump.result().stdout) for key, dump in dumps.items()}

    def blobs(self, project, platform):
        """The files that have a header, which streams lack."""
        return [file for file in self.files[project, platform] if not file.endswith(".stream")]

    def refused(self, platform, files):
        """{file: message} of what the loaders for `platform` refuse."""
        done = subprocess.run([*self.command[platform], *files], capture_output=True, text=True,
                              timeout=LIMIT)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stdout, "")
        return dict(line.split(": ", 1) for line in done.stderr.splitlines())

    def test_the_dump_runs_in_the_other_byte_order(self):
        orders = [ELF_BYTE_ORDER[read(program, "rb")[5]] for program in (self.native, self.cross)]
        self.assertEqual(orders, ["little", "big"])

    def test_every_value_is_equal(self):
        for project in ("all", "crates"):
            native, other = (self.dumps[project, platform] for platform in PLATFORMS)
            self.assertEqual(sorted(native), [os.path.basename(f) for f in self.files[project, "linux"]])
            self.assertEqual(sorted(native), sorted(other))
            for name, lines in native.items():
                least = 1 if name.endswith(".stream") else 2
                self.assertGreater(len(lines), least, f"{lines[0]} says nothing")
                if name.startswith(SOUND):
                    lines, other[name] = ([without_order(line) for line in dump]
                                          for dump in (lines, other[name]))
                different = [(a, b) for a, b in zip(lines, other[name]) if a != b]
                # A sound's stream has numbers, of sizes that its blob knows and the dump of a stream does not.
                if native.get(name.removesuffix(".stream"), [""])[0].endswith('"sound"'):
                    different = [] if name.endswith(".stream") else [
                        (a, b) for a, b in different if not a.startswith("stream[0].hash")]
                for a, b in different[:1]:
                    self.fail(f"{project}: {lines[0]}: {len(different)} lines differ, the first\n"
                              f"linux {a[:400]}\nbe64  {b[:400]}")
                self.assertEqual(len(lines), len(other[name]), lines[0])
            for a, b in zip(self.blobs(project, "linux"), self.blobs(project, "be64")):
                self.assertNotEqual(read(a, "rb"), read(b, "rb"), f"{a} is the same in both orders")

    @functools.cache
    def values(self, type_name):
        """{place without positions: {its numbers, as one line has them}} of a type's files."""
        found = {}
        for lines in self.dumps["all", "linux"].values():
            if lines[0].endswith(f' "{type_name}"'):
                for line in lines[1:]:
                    place, _, numbers = line.partition(": ")
                    found.setdefault(re.sub(r"\[\d+\]", "", place), set()).add(numbers)
        return found

    def numbers(self, type_name, place, position):
        """The numbers that stand at a position of lines of a place."""
        return {int(line.split()[position], 16) for line in self.values(type_name)[place]}

    def test_every_type_is_there(self):
        table = read(os.path.join(TYPES, "resource_types.c"))
        types = set(re.findall(r'^    \{"(\w+)",\s+\{\w+\},\s+CT_', table, re.M)) | {"catalog"}
        self.assertGreater(len(types), 12)
        for project in ("all", "crates"):
            there = {lines[0].split('"')[3] for lines in self.dumps[project, "linux"].values()}
            # The sample has one language, which is in its scripts, flat ground and no graphs, and nothing walks in it; it may be silent.
            silent = {"sound", "sound_event"} if project == "crates" else set()
            self.assertEqual(types - there - silent, set() if project == "all" else {"flow", "flow_nodes", "strings", "height_field", "navigation", "network_config"})

    def test_every_feature_is_there(self):
        """A format, component or step that is new shall be in the project of the test, too."""
        for type_name, place, position, header, enum, first in (
                ("texture", "format", 0, "resource/types/texture_resource.h", "ct_texture_format", 1),
                ("texture", "format", 3, "resource/types/texture_resource.h", "ct_texture_kind", 0),
                ("mesh", "format", 0, "resource/types/mesh_resource.h", "ct_mesh_format", 0),
                ("mesh", "shapes", 1, "resource/types/mesh_resource.h", "ct_mesh_shape_use", 0),
                ("mesh", "shapes", 2, "resource/types/mesh_resource.h", "ct_mesh_shape_kind", 0),
                ("shader", "topology", 0, "resource/types/shader_resource.h", "ct_shader_topology", 0),
                ("shader", "topology", 1, "resource/types/shader_resource.h", "ct_shader_vertices", 0),
                ("shader", "parameters", 1, "resource/types/shader_resource.h", "ct_shader_parameter_type", 1),
                ("shader", "textures.name", 2, "resource/types/texture_resource.h", "ct_texture_kind", 0),
                ("render_config", "steps.type", 0, "resource/types/render_config_resource.h", "ct_render_step_type", 1),
                ("render_config", "settings.type", 0, "resource/types/render_setting.h", "ct_render_setting_type", 1),
                ("input", "bindings.kind", 0, "resource/types/input_binding.h", "ct_input_binding_kind", 0),
                ("input", "actions.id", 1, "resource/types/input_binding.h", "ct_input_action_kind", 0),
                ("state_machine", "states.name", 1, "resource/types/state_machine_resource.h",
                 "ct_state_machine_state_kind", 0),
                ("state_machine", "states.name", 2, "resource/types/state_machine_resource.h",
                 "ct_state_machine_loop", 0),
                ("state_machine", "nodes", 0, "resource/types/state_machine_resource.h",
                 "ct_state_machine_node_kind", 0),
                ("state_machine", "transitions", 3, "resource/types/state_machine_resource.h",
                 "ct_state_machine_exit_kind", 0),
                ("config", "nodes.type", 0, "foundation/sjson/sjson.h", "ct_sjson_type", 1)):
            expected = set(range(first, enumerators(header, enum)))
            self.assertGreater(len(expected), 1, enum)
            found = {line for line in self.values(type_name)[place] if len(line.split()) > position}
            self.assertEqual(expected - {int(line.split()[position], 16) for line in found}, set(),
                             f"{enum}: not in the project")
        self.assertEqual(self.numbers("mesh", "bounds_min", 7), {2, 4}, "bytes of indices")
        components = read(os.path.join(TYPES, "component_resource.c"))
        expected = len(re.findall(r'^    \{"\w+",\s+\{\w+\},\s+&\w+_schema,', components, re.M))
        self.assertGreater(expected, 5)
        self.assertEqual(len(self.numbers("unit", "entities.component_types.type", 0)), expected)

    def test_every_member_is_used(self):
        """Arrays are somewhere not empty, and numbers somewhere not 0."""
        empty = set()
        components = read(os.path.join(TYPES, "component_resource.c"))
        has_varying = re.search(r"_schema,\s+NULL,\s+\w+\},", components)
        types = {lines[0].split('"')[3] for lines in self.dumps["all", "linux"].values()}
        for type_name in types:
            for place, lines in self.values(type_name).items():
                is_of_blob = not place.startswith("uses") and not place.endswith("padding")
                if place == "entities.component_types.offsets" and not has_varying:
                    continue
                if is_of_blob and re.fullmatch("[0 ]+", "".join(lines)):
                    empty.add(f"{type_name}: {place}")
        self.assertEqual(empty, set())

    def test_each_refuses_the_others_data(self):
        for platform, other in (PLATFORMS, PLATFORMS[::-1]):
            files = self.blobs("all", other)
            messages = self.refused(platform, files)
            self.assertEqual(messages, {os.path.basename(file): "compiled for a platform with the other "
                                        "byte order" for file in files})
        project = os.path.join(self.folder, "all")
        data = os.path.dirname(self.files["all", "be64"][0])
        done = cuttle("run", project, "--headless", "--frames", "1", "--no-compile", "--data-dir", data,
                      check=1)
        self.assertIn("compiled for a platform with the other byte order", done.stderr)

    def test_archives_are_equal(self):
        """The same files in an archive for each: the indices are, and lead to the same chunks."""
        texts, archives = [], []
        files = [file for file in self.blobs("all", "linux") if not file.endswith("catalog")]
        for platform in PLATFORMS:
            archives.append(os.path.join(self.folder, platform, "all.archive"))
            os.makedirs(os.path.dirname(archives[-1]))
            must([PACK, platform, archives[-1], *files])
            texts.append(must([*self.command[platform], archives[-1]]).stdout.splitlines())
        self.assertGreater(len(texts[0]), 3 * len(files))
        for a, b in zip(*texts):
            self.assertEqual(a, b)
        self.assertEqual(len(texts[0]), len(texts[1]))
        for platform, archive in zip(PLATFORMS, archives[::-1]):
            done = subprocess.run([*self.command[platform], archive], capture_output=True, text=True,
                                  timeout=LIMIT)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr, "all.archive: the archive is for a platform with the other byte order\n")

    def test_each_refuses_damage(self):
        damaged = os.path.join(self.folder, "damaged")
        for platform in PLATFORMS:
            files = {}
            for number, path in enumerate(self.blobs("all", platform)):
                data = bytearray(read(path, "rb"))
                data[32 + number * 997 % (len(data) - 32)] ^= 1
                files[os.path.join(damaged, platform, os.path.basename(path))] = bytes(data)
            for path, data in files.items():
                write(path, data)
            messages = self.refused(platform, list(files))
            self.assertEqual(len(messages), len(files))
            for message in messages.values():
                self.assertRegex(message, "^damaged: its checksum is [0-9a-f]{16}, expected [0-9a-f]{16}$")


if __name__ == "__main__":
    unittest.main()
