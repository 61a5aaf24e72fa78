"""The program behind scripts/gpu-check, whose comment documents it."""

import os
import pathlib
import sys
import tempfile

import correctness
import counters
import files
import instructions
import misbehave
import shapes
import speed
import throughputs
import top
import traced
import values
import waits
import warps
from common import Machine, Report, Stopwatch

SECTIONS = ["verify", "sanitize", "compare", "counters", "record", "instructions", "bench", "top", "shapes", "tune", "trace",
            "values", "files", "warps", "waits", "throughputs", "misbehave"]


def run(sections, machine, report):
    if not set(sections) <= {"shapes", "trace", "values", "files", "warps", "waits", "throughputs"} and not machine.compile_everything(report):
        return
    times = {}
    for section in sections:
        watch = Stopwatch()
        if section == "record":
            times = speed.record(machine, report)
        elif section == "bench":
            speed.bench(machine, report, times)
            speed.baselines(machine, report)
        elif section == "top":
            top.top(machine, report)
        elif section == "tune":
            speed.tune(machine, report)
        else:
            {"verify": correctness.verify, "sanitize": correctness.sanitize, "compare": correctness.compare,
             "counters": counters.counters, "instructions": instructions.instructions,
             "shapes": shapes.shapes, "trace": traced.traced, "values": values.values, "files": files.files, "warps": warps.warps,
             "waits": waits.waits, "throughputs": throughputs.throughputs,
             "misbehave": misbehave.misbehave}[section](machine, report)
        print(f"----  {section}: {watch.seconds():.0f} s", flush=True)


def main():
    sections = sys.argv[1:] or SECTIONS
    unknown = [section for section in sections if section not in SECTIONS]
    if unknown:
        sys.exit(f"gpu-check: there is no section '{unknown[0]}'; the sections are: {', '.join(SECTIONS)}.")
    report, watch = Report(), Stopwatch()
    with tempfile.TemporaryDirectory(prefix="gpu-check-") as folder:
        machine = Machine(folder)
        if not (pathlib.Path(machine.program).is_file() and os.access(machine.program, os.X_OK)):
            sys.exit(f"gpu-check: there is no program {machine.program}; build it with ./run, or set GEMMSCOPE.")
        run(sections, machine, report)
    print(f"{report.passed} passed, {report.failed} failed, {report.skipped} skipped, {watch.seconds():.0f} s")
    sys.exit(1 if report.failed or not report.passed else 0)


main()
