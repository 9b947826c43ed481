#!/usr/bin/env python3
"""Compares what frames cost the processor: frame_cost.py CUTTLE:PROJECT[:PRESET] ...

Runs each without a window at 1280 x 720, in turn, three times; prints the median of milliseconds of
processor time a frame (user and system, of all threads: on a CPU driver that is the drawing, too),
and its ratio to the first. Another checkout's `cuttle` and samples can be compared with this one's:

    bench/frame_cost.py ../old/build/release/cuttle:../old/samples/crates \\
        build/release/cuttle:samples/crates:low build/release/cuttle:samples/crates:high
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import tempfile

FEW, MANY, ROUNDS = 5, 45, 3  # frames; the start of a run is taken off


def processor_seconds(cuttle, project, frames):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([cuttle, "run", project, "--headless", "--frames", str(frames), "--fixed-dt", "0.016",
                    "--size", "1280x720"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def milliseconds_a_frame(cuttle, project):
    many = processor_seconds(cuttle, project, MANY)
    return 1000 * (many - processor_seconds(cuttle, project, FEW)) / (MANY - FEW)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("frames", nargs="+", metavar="CUTTLE:PROJECT[:PRESET]")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = []
        for number, argument in enumerate(arguments.frames):
            cuttle, source, *preset = argument.split(":")
            project = os.path.join(folder, str(number))
            shutil.copytree(source, project)
            if preset:
                with open(os.path.join(project, "settings.config"), "a") as file:
                    file.write(f'\nrender_preset = "{preset[0]}"\n')
            processor_seconds(cuttle, project, 1)  # compiles
            rows.append((argument, cuttle, project, []))
        for _ in range(ROUNDS):
            for _, cuttle, project, times in rows:
                times.append(milliseconds_a_frame(cuttle, project))
        first = statistics.median(rows[0][3])
        for argument, _, _, times in rows:
            median = statistics.median(times)
            print(f"{median:8.1f} ms  {median / first:5.2f}  {argument}")


if __name__ == "__main__":
    main()
