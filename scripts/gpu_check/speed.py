"""Measures the speed of every stage and of cuBLAS, and how long a recording takes."""

import datetime
import os
import pathlib
import re

from common import ROOT

SIZES = ["1024", "2048", "4096"]
RECORD_LIMIT_MS = 100


def record(machine, report):
    """Checks that recording 1024^3 takes at most RECORD_LIMIT_MS after compilation. Returns {stage: milliseconds}."""
    times = {}
    for stage, facts in machine.stages().items():
        size = "1024" if facts["gemm"] else facts["small_size"]
        measured = []
        result = None
        for _ in range(3):
            row, result = machine.gemmscope_json("record", stage, "--backend", "cuda", "--size", size, "-o",
                                                 machine.folder / "timed.gscope")
            if row:
                measured.append(row["milliseconds"])
        if len(measured) < 3:
            report.check(f"record: {stage} at {size}", False, result.tail())
            continue
        times[stage] = sorted(measured)[1]
        report.check(f"record: {stage} at {size}", times[stage] <= RECORD_LIMIT_MS,
                     f"{times[stage]:.0f} ms, median of 3, at most {RECORD_LIMIT_MS}")
    return times


def share(value):
    return "-" if value is None else f"{100 * value:.1f} %"


def table(rows, sizes):
    lines = ["| stage | " + " | ".join(f"{size}: GFLOPS | of cuBLAS | of peak" for size in sizes) + " |",
             "|---|" + "---:|" * (3 * len(sizes))]
    for stage in dict.fromkeys(row["stage"] for row in rows):
        cells = []
        for size in sizes:
            row = next((row for row in rows if row["stage"] == stage and row["size"] == size), None)
            if row is None or row["gflops"] is None:
                cells += ["-", "-", "-"]
            else:
                cells += [f"{row['gflops']:,.0f}", share(row["of_cublas"]), share(row["of_peak"])]
        lines.append(f"| {stage} | " + " | ".join(cells) + " |")
    return lines


def device(machine):
    """Returns the GPU's name and the toolkit, as in a recording."""
    file = machine.folder / "device.gscope"
    machine.gemmscope("record", "vector_add", "--backend", "cuda", "-o", file)
    info, _ = machine.gemmscope_json("info", file)
    return (info["device"], info["toolkit"]) if info else ("unknown GPU", "unknown toolkit")


def today():
    return datetime.date.today().isoformat()


def file_name(gpu, what=""):
    """Returns the file name of a table of results: "nvidia-h200-2026-11-21.md"."""
    return f"{re.sub(r'[^a-z0-9]+', '-', gpu.lower()).strip('-')}-{today()}{what}.md"


def write_table(gpu, what, lines):
    """Writes a table to the folder of results and prints it. Returns the name of the file."""
    folder = pathlib.Path(os.environ.get("OUT") or ROOT / "docs" / "results")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file_name(gpu, what)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines), flush=True)
    return path.name


def bench(machine, report, record_times):
    """Checks every stage at several sizes and writes the table of results in Markdown."""
    gemms = [stage for stage, facts in machine.stages().items() if facts["gemm"]]
    rows, result = machine.gemmscope_json("bench", *gemms, *[part for size in SIZES for part in ("--size", size)],
                                          "--seconds", "0.25", timeout=400)
    if not rows:
        report.check("bench", False, result.tail())
        return
    for row in rows:
        report.check(f"bench: {row['stage']} at {row['size']}", row["ok"] and row["of_cublas"] is not None,
                     f"{row['gflops'] or 0:,.0f} GFLOPS, {share(row['of_cublas'])} of cuBLAS, error {row['error']}")
    vectors, _ = machine.gemmscope_json("bench", "vector_add", "--size", "1048576", "--seconds", "0.2")
    threads, result = machine.gemmscope_json("bench", "thread_coords", "--size", "4096x4096", "--seconds", "0.2")
    report.check("bench: thread_coords at 4096x4096", bool(threads) and threads[0]["ok"],
                 f"{threads[0]['median_ms']:.4f} ms" if threads else result.tail())
    gpu, toolkit = device(machine)
    lines = [f"# {gpu}, {today()}", "",
             f"Made by `scripts/gpu-check` on one {gpu} ({toolkit}). Random inputs, alpha 1, beta 0, clocks as found; "
             "each figure is the median of samples taken in turn with cuBLAS SGEMM (true FP32) in the same run. Every "
             "figure belongs to a result that was right.", ""]
    lines += table(rows, SIZES)
    if vectors and vectors[0]["gflops"] is not None:
        lines += ["", f"`vector_add`, 1,048,576 elements: {vectors[0]['gflops']:,.0f} GFLOPS "
                      f"({12e-6 * 1048576 / vectors[0]['median_ms']:,.0f} GB/s read and written)."]
    if record_times:
        lines += ["", "Recording at 1024 x 1024 x 1024 (whole launch counted, one block in full), after compilation: "
                  + ", ".join(f"{stage} {ms:.0f} ms" for stage, ms in record_times.items() if stage in gemms)
                  + "."]
    report.check("bench: table written", True, write_table(gpu, "", lines))


def baselines(machine, report):
    """Checks that the libraries and the CPU's loop are correct, or missing with a sentence, as OpenBLAS may be."""
    rows, result = machine.gemmscope_json("bench", "cublas_sgemm", "cublas_tf32", "cublas_fp16", "cublas_bf16",
                                          "cublas_dgemm", "cpu_loop", "cpu_blas", "cpu_blas_one",
                                          "--size", "4096", "--size", "1000x33x517", "--seconds", "0.5", timeout=400)
    if not rows:
        report.check("bench: baselines", False, result.tail())
        return
    for row in rows:
        name = f"bench: {row['stage']} at {row['size']}"
        if "missing" in row:
            report.check(name, row["stage"] in ("cpu_blas", "cpu_blas_one"), row["missing"])
        else:
            report.check(name, row["ok"], f"{row['gflops'] or 0:,.1f} GFLOPS, error {row['error']}, "
                                          f"in all {row['total_error']}")


def tune(machine, report):
    """Runs a search at a moderate size. Each candidate must be correct or have a reason, and the winner becomes the
    default."""
    found, result = machine.gemmscope_json("tune", "autotuned", "--size", "2048", timeout=900)
    if not found:
        report.check("tune", False, result.tail())
        return
    candidates = found["candidates"]
    wrong = [candidate for candidate in candidates if candidate["state"] == "wrong"]
    best = candidates[0]
    report.check("tune: autotuned at 2048", found["whole"] and best["state"] == "right" and not wrong,
                 f"{len(candidates)} candidates, {len(wrong)} wrong, best {best['gflops'] or 0:,.0f} GFLOPS "
                 f"{share(best['of_cublas'])}: {best['parameters']}")
