"""Compares gemmscope's counters of a launch with Nsight Compute's for the same machine code: throughputs, instructions
by pipe and DRAM traffic of three stages and of one cuBLAS call. Prints a table in Markdown."""

import csv
import io

from common import defaults, find_tool

SIZE = "2048"  # takes some milliseconds, so that the begin and the end of a launch hardly affect shares of its time
STAGES = ["shared_tile", "vectorized", "mma_ldmatrix"]  # limited by shared memory, by issuing, by tensor cores
LIBRARY = "cublas_sgemm"
LIBRARY_KERNELS = "gemm|Kernel2|cutlass|nvjet|splitK"

PIPES = ["fma", "fmaheavy", "fmalite", "tensor", "fp64", "alu", "xu", "lsu", "tma", "uniform", "cbu", "adu"]
PERCENT = ".avg.pct_of_peak_sustained_elapsed"
# Each run of the same machine code executes the same instructions, except for warps that wait in a loop, which none of
# these kernels has. A twentieth of a percentage point allows for counters that are read on a few SMs at a time.
EXACT = ("relative", 0.001)
# Shares of the launch's time. The clocks are not fixed: the memory's is constant, the SMs' changes with load and
# temperature, and Nsight Compute pauses longer between its passes than gemmscope. A share of 90 % changes by 2.7 points
# if a clock changes by 3 %.
SHARE = ("points", 3.0)
# The content of L2 depends on the previous run, and modified lines may be written to DRAM after the launch.
TRAFFIC = ("relative", 0.05)
# The clocks are not fixed and depend on the pauses between the passes.
TIME = ("relative", 0.10)
# A warp scheduler sends an FMA to whichever half of the pipe is free, so only the sum of both is the same in every run.
# A warp may test a barrier several times until it is complete.
HALF = ("of the pipe fma", 0.001)
RETRIED = ("relative", 0.01)
FMA, DRAM, READ, WRITTEN = ("sm__inst_executed_pipe_fma.sum", "gpu__dram_throughput" + PERCENT, "dram__bytes_read.sum",
                            "dram__bytes_write.sum")
METRICS = {
    "sm__throughput" + PERCENT: ("throughput of compute, %", SHARE),
    "gpu__compute_memory_throughput" + PERCENT: ("throughput of memory, %", SHARE),
    DRAM: ("throughput of DRAM, %, for its reads", SHARE),
    "smsp__inst_executed.sum": ("instructions executed", EXACT),
    **{f"sm__inst_executed_pipe_{pipe}.sum":
       (f"by the pipe {pipe}", {"fmaheavy": HALF, "fmalite": HALF, "adu": RETRIED}.get(pipe, EXACT)) for pipe in PIPES},
    READ: ("bytes read from DRAM", TRAFFIC),
    # gemmscope counts until modified lines have left L2, Nsight Compute until the kernel ends.
    WRITTEN: ("bytes written to DRAM", ("not compared", 0)),
    "gpu__time_duration.sum": ("duration, ns", TIME),
}
SMALL = 2e6  # differences of so few DRAM bytes or instructions are ignored (a page table, a cache line per SM)


def read_figures(text):
    """Returns {metric: value} from ncu's CSV. Adds the sums of several kernels, and weights percentages by the kernels'
    times."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    kernels = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines[start:]))) if start is not None else []:
        try:
            kernels.setdefault(row["ID"], {})[row["Metric Name"]] = float(row["Metric Value"].replace(",", ""))
        except (KeyError, TypeError, ValueError, AttributeError):
            continue
    figures = {}
    for name in METRICS:
        values = [(kernel.get(name), kernel.get("gpu__time_duration.sum")) for kernel in kernels.values()]
        if not values or any(value is None or time is None for value, time in values):
            continue
        if name.endswith(PERCENT):
            figures[name] = sum(value * time for value, time in values) / sum(time for _, time in values)
        else:
            figures[name] = sum(value for value, _ in values)
    return figures, len(kernels)


def for_reads(figures):
    """Returns the share of reads in the DRAM traffic."""
    share, read, written = (figures.get(name) for name in (DRAM, READ, WRITTEN))
    return None if share is None or not read or written is None else share * read / (read + written)


def agrees(own, theirs, tolerance, name, fma):
    how, most = tolerance
    if how == "not compared":
        return True
    if how == "points":
        return abs(own - theirs) <= most
    if how == HALF[0]:
        return abs(own - theirs) <= most * fma
    small = SMALL if name.startswith("dram__") else 0
    return abs(own - theirs) <= max(most * abs(theirs), small)


def rows_of(own, theirs):
    """Returns rows (figure, gemmscope, Nsight Compute, tolerance, agreement). Missing values are None and disagree."""
    rows = []
    for name, (words, tolerance) in METRICS.items():
        a, b = (for_reads(own), for_reads(theirs)) if name == DRAM else (own.get(name), theirs.get(name))
        said = {"points": f"{tolerance[1]:g} points", "relative": f"{100 * tolerance[1]:g} %",
                HALF[0]: f"{100 * tolerance[1]:g} % {HALF[0]}"}.get(tolerance[0], tolerance[0])
        rows.append((words, a, b, said,
                     a is not None and b is not None and agrees(a, b, tolerance, name, own.get(FMA) or 0)))
    return rows


def figure(value):
    return "missing" if value is None else f"{value:,.1f}" if value < 1000 and value != int(value) else f"{value:,.0f}"


def table(name, rows):
    lines = [f"| {name} | gemmscope | Nsight Compute | may differ by | |", "|---|---:|---:|---:|---|"]
    return lines + [f"| {words} | {figure(a)} | {figure(b)} | {said} | {'ok' if ok else 'DIFFERS'} |"
                    for words, a, b, said, ok in rows]


def profiled(machine, ncu, kernel, launches, command):
    run = machine.run([ncu, "--csv", "--print-units", "base", "--clock-control", "none", "--launch-count", str(launches),
                       "-k", f"regex:{kernel}", "--metrics", ",".join(METRICS), *command], timeout=400)
    figures, kernels = read_figures(run.output)
    return figures, kernels, run


def throughputs(machine, report):
    ncu = find_tool("ncu")
    if not ncu:
        report.skip("throughputs", "ncu (Nsight Compute) is not installed")
        return
    stages, lines = machine.stages(), []
    compared = [(stage, stage, ["verify", stage, *defaults(stages[stage]), "--alpha=1", "--beta=0"], ["--only-counted"])
                for stage in STAGES]
    compared.append((LIBRARY, LIBRARY_KERNELS, ["bench", LIBRARY, "--seconds", "0.01"], []))
    for name, kernel, command, how in compared:
        parameters = defaults(stages[name]) if name in stages else []
        counted, result = machine.gemmscope_json("counters", name, "--backend", "cuda", "--size", SIZE, *parameters, *how)
        if not counted:
            report.check(f"throughputs: {name}", False, result.tail())
            continue
        row = counted[0]
        theirs, kernels, run = profiled(machine, ncu, kernel, row["launches"],
                                        [machine.program, *command, "--backend", "cuda", "--size", SIZE])
        if "ERR_NVGPUCTRPERM" in run.output + run.errors:
            report.skip(f"throughputs: {name}", "this user may not read the GPU's counters (run as root)")
            continue
        rows = rows_of({**row["counters"], **row["percents"]}, theirs)
        lines += [*table(f"{name} at {SIZE}, {kernels} of {row['launches']} kernels", rows), ""]
        wrong = [words for words, _, _, _, ok in rows if not ok]
        report.check(f"throughputs: {name} at {SIZE}", not wrong and kernels == row["launches"],
                     f"{len(rows)} figures agree" if not wrong else
                     ("differ: " + ", ".join(wrong)) if theirs else run.tail())
    text = "\n".join(lines)
    print(text, flush=True)
    machine.keep("throughputs.md").write_text(text + "\n", encoding="utf-8")
