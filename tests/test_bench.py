"""The benchmark program lists its workloads, bench/README.md tells of each, and one runs."""
import json
import os
import re
import subprocess
import unittest

PROGRAM = os.path.join(os.environ["CUTTLE_BUILD_DIR"], "cuttle_bench")
WORKLOADS = {
    "alloc_mixed", "alloc_growth", "alloc_small", "task_empty", "task_forkjoin", "task_frame",
    "parallel_for", "profiler_scope", "sjson_tape", "hash_map", "scene_graph",
    "scene_graph_world", "archive_load", "archive_find", "bundle_load", "bundle_stream", "merge",
    "entity_create", "entity_alive", "entity_create_moving", "entity_move", "entity_lookup",
    "entity_destroy", "entity_churn", "transform_roots", "transform_tidied", "transform_chains",
    "transform_one", "data_get", "data_get_many", "data_set_many", "tag_query", "level_spawn",
    "level_destroy", "animation_crowd", "lua_set", "lua_set_bulk", "behaviours", "broadphase_sphere", "culling",
    "pipelines_appear", "pipelines_again",
    "particles_simulate", "particles_vertices", "particles_small",
    "render_velocity", "sound_mix", "widgets_list", "widgets_kept",
    "navigation_paths", "navigation_lengths", "navigation_thousand", "navigation_agents",
    "navigation_carve", "navigation_build",
    "network_record_write", "network_moving", "network_moving_state", "network_moving_shown",
    "network_server",
}
FIELDS = {
    "workload", "subject", "unit", "median", "min", "max", "peer", "peer_median", "ratio", "goal",
    "n",
}
README = os.path.join(os.environ["CUTTLE_SOURCE"], "bench", "README.md")


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120)


@unittest.skipUnless(os.path.exists(PROGRAM), "not built with sanitizers")
class Bench(unittest.TestCase):
    def test_lists_every_workload(self):
        done = run("--list")
        self.assertEqual(done.returncode, 0, done.stderr)
        listed = {line.split()[1] for line in done.stdout.splitlines()}
        self.assertEqual(WORKLOADS - listed, set())
        with open(README, encoding="utf-8") as f:
            told_of = set(re.findall(r"`(\w+)`", f.read()))
        self.assertEqual(listed - told_of, set(), "not in bench/README.md")

    def test_prints_an_object_a_line(self):
        done = run("--json", "--runs", "1", "alloc_small")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertGreaterEqual(len(lines), 3)
        for line in lines:
            self.assertEqual(set(line), FIELDS)
            self.assertEqual(line["workload"], "alloc_small")
            self.assertEqual(line["n"], 1)
            self.assertAlmostEqual(line["ratio"], line["median"] / line["peer_median"], places=9)

    def test_refuses_unknown_names(self):
        done = run("alloc_tiny")
        self.assertEqual(done.returncode, 2)
        self.assertIn('unknown workload or group "alloc_tiny"', done.stderr)

    def test_bundles_are_measured_where_one_is_given(self):
        done = run("bundle_load")
        self.assertEqual(done.returncode, 2)
        self.assertIn('"bundle_load" needs --bundle DIR', done.stderr)


if __name__ == "__main__":
    unittest.main()
