"""Checks kernels of CUDA files: the GPU and the PTX machine compute the same bits, and traces equal Nsight Compute's
counters."""

from common import ROOT, find_tool
from counters import read_metrics
from traced import METRICS, compare

FOLDERS = [ROOT / "tests" / "data" / "cuda", ROOT / "assets" / "recordings" / "programs"]
# Known wavefronts of one warp's shared accesses in the two transposes: a column of 32 x 32 floats is in one bank.
WAVEFRONTS = {"transpose": 32, "transpose_padded": 1}


def wavefronts_per_load(totals):
    return totals["shared_load"]["wavefronts"] / max(1, totals["shared_load"]["instructions"])


def one(machine, report, file, ncu):
    name, label = file.stem, f"{file.parent.name}-{file.stem}"
    on_cpu, on_gpu = machine.keep(f"{label}-ptx.gscope"), machine.keep(f"{label}.gscope")
    executed = machine.gemmscope("trace", file, "-o", on_cpu)
    bits = machine.gemmscope("launch", file, "--compare")
    if "A race" in executed.output:
        report.skip(f"file: {label}: bits", "its threads race, so that the GPU may come to another result")
    elif "PTX leaves the last bits" in bits.output and "WRONG" not in bits.output:
        report.skip(f"file: {label}: bits", "it uses instructions whose last bits PTX leaves open")
    else:
        report.check(f"file: {label}: the GPU's bits are those of the PTX", bits.status == 0, bits.tail())
    ran = machine.gemmscope("trace", file, "--backend", "cuda", "-o", on_gpu)
    totals = [machine.gemmscope_json("info", path)[0] for path in (on_cpu, on_gpu)]
    if not report.check(f"file: {label}: traced", executed.status == 0 and ran.status == 0 and all(totals),
                        executed.tail(2) + ran.tail(2)):
        return
    ptx, traced = (info["totals"] for info in totals)
    if "bulk.tensor" in file.read_text():  # the Sanitizer API does not report copies by tensor maps
        ptx = {group: figures for group, figures in ptx.items() if not group.startswith("bulk_")}
        traced = {group: figures for group, figures in traced.items() if not group.startswith("bulk_")}
    if totals[0]["executed"]["language"] == "SASS":
        report.check(f"file: {label}: as executed, without a GPU and on it", ptx == traced, f"{ptx} without, {traced} on the GPU")
    if file.parent == FOLDERS[1] and name in WAVEFRONTS:
        report.check(f"file: {label}: {WAVEFRONTS[name]} wavefronts for each load of a column",
                     wavefronts_per_load(ptx) == wavefronts_per_load(traced) == WAVEFRONTS[name],
                     f"{wavefronts_per_load(ptx):g} as PTX, {wavefronts_per_load(traced):g} on the GPU")
    if not ncu:
        report.skip(f"file: {label}", "ncu (Nsight Compute) is not installed")
        return
    metrics = ",".join(sorted({metric for group in METRICS.values() for metric in group}))
    counted = read_metrics(machine.run([ncu, "--csv", "--print-units", "base", "--metrics", metrics, machine.program, "launch",
                                        file]).output)
    equal, differing = compare(traced, counted)
    report.check(f"file: {label}: traced and counted", not differing and equal,
                 "; ".join([*differing.values(), *equal.values()]) or "nothing was counted")


def files(machine, report):
    ncu = find_tool("ncu")
    for folder in FOLDERS:
        for file in sorted(folder.glob("*.cu")):
            if "gemmscope:" in file.read_text(encoding="utf-8"):
                one(machine, report, file, ncu)
