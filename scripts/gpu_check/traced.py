"""Compares traces of unmodified programs' kernels with Nsight Compute's counters of the same kernels."""

import pathlib
import subprocess
import sys
import time

from common import find_tool
from counters import MOST_READINGS, read_metrics

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
TORCH, TRITON = PROGRAMS / "torch_kernels.py", PROGRAMS / "triton_kernels.py"
GRAPH = PROGRAMS / "torch_graph.py"
# Name, program with its arguments, regular expression of the kernel's name.
KERNELS = [
    ("cublas_sgemm_512", [TORCH, "512"], "f32f32_f32f32_f32.*_execute_kernel"),
    ("cublas_sgemm_512_reduction", [TORCH, "512"], "execute_split_k_kernel"),
    ("cublas_sgemm_1024", [TORCH, "1024"], "f32f32_f32f32_f32|sgemm"),
    ("cublas_bf16_512", [TORCH, "512"], "nvjet|bf16.*gemm"),
    ("cublas_bf16_1024", [TORCH, "1024"], "nvjet|bf16.*gemm"),
    ("cublas_tf32_512", [TORCH, "512"], "Kernel2"),
    ("torch_softmax_512", [TORCH, "512"], "softmax"),
    ("torch_layer_norm_512", [TORCH, "512"], "layer_norm"),
    ("torch_layer_norm_1000", [TORCH, "1000"], "layer_norm"),
    ("graph_product", [GRAPH], "nvjet|gemm|gemv"),
    ("graph_softmax", [GRAPH], "softmax"),  # launched only by the graph
    ("triton_tiled_product", [TRITON], "tiled_product"),
    ("triton_attention", [TRITON], "attention"),
]
SASS = "smsp__sass_inst_executed_op_"
LSU = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
SECTORS = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_"
ATOMICS = "l1tex__t_sectors_pipe_lsu_mem_global_op_"
# (group, figure) of `gemmscope info --json`: the counters whose sum it must equal.
METRICS = {
    ("shared_load", "instructions"): [SASS + "shared_ld.sum", SASS + "ldsm.sum"],
    ("shared_load", "wavefronts"): [LSU + "ld.sum", LSU + "ldsm.sum"],
    ("shared_store", "instructions"): [SASS + "shared_st.sum", SASS + "shared_stsm.sum"],
    ("shared_store", "wavefronts"): [LSU + "st.sum", LSU + "stsm.sum"],
    ("global_load", "sectors"): [SECTORS + "ld.sum", SECTORS + "ldgsts.sum"],
    ("global_store", "sectors"): [SECTORS + "st.sum"],
    ("shared_atomic_cost", "wavefronts"): ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"],
    ("global_atomic_cost", "sectors"): [ATOMICS + "red.sum", ATOMICS + "atom.sum"],
}
# Costs that are compared only if they are known of all atomic operations: the group and the figure that count them.
OF_ATOMICS = {"shared_atomic_cost": ("shared_atomic", "instructions"), "global_atomic_cost": ("global_atomic", "requests")}


def programs(which):
    return [sys.executable, *(str(part) for part in which)]


def compare(totals, counted):
    """Returns texts about equal and different figures, by (group, figure)."""
    equal, differing = {}, {}
    for (group, figure), metrics in METRICS.items():
        if group in OF_ATOMICS:
            of, counts = OF_ATOMICS[group]
            if totals[of]["instructions"] != totals[group][counts]:
                continue
        ours, theirs = totals[group][figure], sum(counted.get(metric, 0) for metric in metrics)
        text = f"{group} {figure} {ours:,}" + ("" if ours == theirs else f" (counted {theirs:,})")
        if ours or theirs:
            (equal if ours == theirs else differing)[group, figure] = text
    return equal, differing


def endings(machine, report):
    """Checks launches that cannot be recorded, and how the program ends."""
    def trace(*words):
        return machine.gemmscope("trace", *words[:-1], "-o", machine.keep("none.gscope"), "--", *words[-1])

    plain = machine.run(programs([GRAPH]))
    if plain.status != 0:
        report.skip("trace: endings", "the program does not run here: " + plain.tail(1))
        return
    late = trace("--kernel", "f32f32_f32f32_f32|sgemm", "--traced-seconds", "0.001", programs([TORCH, "1024"]))
    report.check("trace: a launch that takes too long", late.status == 1 and "did not end within" in late.errors, late.tail(2))
    started = subprocess.Popen([machine.program, "trace", "--kernel", "none", "-o", machine.keep("none.gscope"), "--",
                                *programs([GRAPH, "wait"])], stdout=subprocess.PIPE, text=True, env=machine.environment)
    line = started.stdout.readline()
    started.kill()
    time.sleep(1)
    left = machine.run(["pgrep", "-f", str(GRAPH) + " wait"])
    report.check("trace: killed, and so is what it started", line.startswith("sum") and left.status == 1, line + left.output)


def traced(machine, report):
    endings(machine, report)
    ncu = find_tool("ncu")
    names = ",".join(sorted({metric for metrics in METRICS.values() for metric in metrics}))
    plain = {}
    for name, which, kernel in KERNELS:
        command = programs(which)
        key = " ".join(command)
        if key not in plain:
            plain[key] = machine.run(command)
        if plain[key].status != 0:
            report.skip(f"trace: {name}", "the program does not run here: " + plain[key].tail(1))
            continue
        file = machine.keep(f"{name}.gscope")
        result = machine.gemmscope("trace", "--kernel", kernel, "-o", file, "--", *command)
        info, _ = machine.gemmscope_json("info", file)
        if result.status != 0 or not info:
            report.check(f"trace: {name}", False, result.tail())
            continue
        report.check(f"trace: {name}: the program's results", plain[key].output.strip() in result.output,
                     "unchanged" if plain[key].output.strip() in result.output else result.tail())
        if not ncu:
            report.skip(f"trace: {name}", "ncu (Nsight Compute) is not installed")
            continue
        profiled = [ncu, "--csv", "--print-units", "base", "-k", f"regex:{kernel}", "--launch-count", "1", "--metrics", names,
                    *command]
        counted = read_metrics(machine.run(profiled).output)
        equal, differing = compare(info["totals"], counted)
        readings = 1  # the counter of the sectors that cp.async reads differs between readings
        while list(differing) == [("global_load", "sectors")] and readings < MOST_READINGS:
            equal, differing = compare(info["totals"], read_metrics(machine.run(profiled).output))
            readings += 1
        text = f"equal: {', '.join(equal.values()) or 'nothing'}"
        if differing:
            text = f"differ: {', '.join(differing.values())}; {text}"
        report.check(f"trace: {name}", counted and not differing, text + (f", in reading {readings}" if readings > 1 else ""))
