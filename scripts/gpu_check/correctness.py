"""Checks results at all sizes, searches for memory errors and races, and compares the recordings of both backends."""

import itertools
import re

from common import PROBES, defaults, find_tool, side_by_side

SMALL = ["1", "2", "17", "31", "32", "33", "63", "64", "65", "127", "128", "129", "255", "1000", "1000x33x517",
         "33x1000x5", "1x1000x7", "1000x1x7", "5x7x1000", "130x132x134", "64x128x9"]
LARGE = ["4095", "4096", "4097", "1023x4098x511", "16384x17x129", "33x16384x65", "127x129x16384"]
SCALES = ["0", "1", "-0.5", "3"]


def describe_rows(rows):
    wrong = [row for row in rows if not row["ok"]]
    if wrong:
        return "wrong: " + ", ".join(f"{row['stage']} at {row['size']} (error {row['error']})" for row in wrong[:5])
    errors = [row["error"] for row in rows]
    return f"{len(rows)} results, largest error {max(errors):.1e}"


def verify(machine, report):
    """Verifies every stage at ragged sizes with every alpha and beta, and once at large sizes."""
    tasks = [(alpha, beta, SMALL, []) for alpha, beta in itertools.product(SCALES, SCALES)]
    tasks += [(alpha, beta, [size], []) for alpha, beta in (("-0.5", "3"), ("1", "0")) for size in LARGE]
    fastest = defaults(machine.stages()["fastest"]) # large tiles at sizes at which it would choose small ones
    tasks += [("-0.5", "3", SMALL, ["fastest", *fastest])]

    def one(task):
        alpha, beta, sizes, stage = task
        rows, result = machine.gemmscope_json("verify", *stage, "--backend", "cuda", f"--alpha={alpha}", f"--beta={beta}",
                                              *[part for size in sizes for part in ("--size", size)])
        name = f"verify: alpha {alpha}, beta {beta}, " + (f"{len(sizes)} sizes" if len(sizes) > 1 else sizes[0]) + \
            (f", {stage[0]} with its defaults" if stage else "")
        ok = bool(rows) and result.status == 0 and all(row["ok"] and row["backend"] == "cuda" for row in rows)
        report.check(name, ok, describe_rows(rows) if rows else result.tail())

    side_by_side(one, tasks)
    for probe in PROBES[1:]: # the instrumented forms must compute the same
        rows, result = machine.gemmscope_json("verify", "--backend", "cuda", "--probe", probe,
                                              *[part for size in SMALL for part in ("--size", size)])
        report.check(f"verify: with probe {probe}", bool(rows) and result.status == 0,
                     describe_rows(rows) if rows else result.tail())


TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]


def sanitizer_complaint(result):
    """Returns the findings of compute-sanitizer, or an empty string."""
    text = result.output + result.errors
    summaries = re.findall(r"(?:ERROR|RACECHECK) SUMMARY:.*", text)
    if not summaries:
        return "no summary: " + result.tail()
    if any(int(number) for summary in summaries for number in re.findall(r"\d+", summary)):
        complaint = re.compile(r"=+ +(Error|Warning|Invalid|Uninit|Barrier)")
        first = next((line for line in text.splitlines() if complaint.search(line)), "")
        return f"{summaries[-1]} {first}"
    return "" if result.status == 0 else result.tail()


def sanitize(machine, report):
    """Runs compute-sanitizer's four tools on every stage with every probe."""
    sanitizer = find_tool("compute-sanitizer")
    if not sanitizer:
        report.skip("sanitize", "compute-sanitizer is not installed")
        return

    def one(task):
        stage, tool, probe = task
        result = machine.run([sanitizer, "--tool", tool, "--error-exitcode", "9", "--print-limit", "3", machine.program,
                              "verify", stage, "--backend", "cuda", "--probe", probe, "--size", "65x63x33", "--size",
                              "128x128x16"])
        complaint = sanitizer_complaint(result)
        report.check(f"sanitize: {tool}, {stage}, probe {probe}", not complaint, complaint)

    side_by_side(one, list(itertools.product(machine.stages(), TOOLS, PROBES)))


COMPARED = [("128", "1", "0"), ("100x33x7", "-0.5", "3"), ("65x130x47", "1", "2"), ("129", "0", "1")]


def compare(machine, report):
    """Compares the recordings of each stage from the CPU and from the GPU, with the first and the last block
    complete."""
    stages = machine.stages()

    def one(task):
        stage, (size, alpha, beta) = task
        name = f"compare: {stage} at {size}"
        stem = machine.folder / f"{stage}-{size}"
        common = [stage, "--size", size, f"--alpha={alpha}", f"--beta={beta}", *defaults(stages[stage])]
        probe = machine.gemmscope("record", *common, "--backend", "cpu", "-o", f"{stem}-grid.gscope")
        if "of compute capability" in probe.errors:
            report.skip(name, "the CPU has no form of its instructions")
            return
        info, result = machine.gemmscope_json("info", f"{stem}-grid.gscope")
        if probe.status != 0 or not info:
            report.check(name, False, probe.tail() + result.tail())
            return
        x, y, z = info["launch"]["grid"]
        blocks = ["--block", "0,0"] + (["--block", f"{x - 1},{y - 1},{z - 1}"] if x * y * z > 1 else [])
        for backend in ("cpu", "cuda"):
            recorded = machine.gemmscope("record", *common, *blocks, "--backend", backend, "-o",
                                         f"{stem}-{backend}.gscope")
            if recorded.status != 0:
                report.check(name, False, recorded.tail())
                return
        recorded_on, _ = machine.gemmscope_json("info", f"{stem}-cuda.gscope")
        difference = machine.gemmscope("diff", f"{stem}-cpu.gscope", f"{stem}-cuda.gscope")
        ok = difference.status == 0 and bool(recorded_on) and recorded_on["backend"] == "cuda"
        report.check(name, ok, "equal, access by access" if ok else difference.tail())

    side_by_side(one, list(itertools.product(stages, COMPARED)))
