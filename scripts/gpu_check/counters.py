"""Compares figures that gemmscope derives with the hardware's counters for the untraced kernel, as gemmscope and as
Nsight Compute read them."""

import csv
import io

from common import find_tool

COPIED_SECTORS = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum"
SASS_LSU = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
# (group, figure) in `gemmscope info --json`: the counters whose sum it must equal. ldsm is ldmatrix; ldgsts is
# cp.async. A recording counts cp.async's reads as global loads, and the requests of op_ld include them. Its writes to
# shared memory are not counted as stores, because no lane makes them.
METRICS = {
    ("shared_load", "instructions"): ["smsp__sass_inst_executed_op_shared_ld.sum", "smsp__sass_inst_executed_op_ldsm.sum"],
    ("shared_store", "instructions"): ["smsp__sass_inst_executed_op_shared_st.sum"],
    ("shared_load", "wavefronts"): [SASS_LSU + "ld.sum", SASS_LSU + "ldsm.sum"],
    ("shared_store", "wavefronts"): [SASS_LSU + "st.sum"],
    ("shared_load", "conflicts"): ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"],
    ("shared_store", "conflicts"): ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"],
    ("global_load", "requests"): ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"],
    ("global_store", "requests"): ["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"],
    ("global_load", "sectors"): ["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                 COPIED_SECTORS],
    ("global_store", "sectors"): ["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum"],
}

# Arbitration: waits for other traffic, which the hardware's conflict counters include.
ARBITRATION = "l1tex__data_bank_conflicts_type_arbitration.sum"

# A recording has no addresses of WMMA's loads and stores of fragments, but the hardware counts them.
OPAQUE = {"wmma": ["shared_load", "shared_store"]}


def read_metrics(text):
    """Returns {metric: sum over the kernels} from ncu's CSV, which has one row per kernel and metric and follows the
    program's own output."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        return {}
    values = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines[start:]))):
        try:
            value = int(float(row["Metric Value"].replace(",", "")))
            values[row["Metric Name"]] = values.get(row["Metric Name"], 0) + value
        except (KeyError, TypeError, ValueError, AttributeError):
            continue
    return values


def compare_totals(stage, totals, counters):
    """Returns a list of (group, figure, derived from the source, counted). Counted conflicts may include
    arbitration."""
    rows = []
    arbitration = counters.get(ARBITRATION, 0)
    for (group, figure), metrics in METRICS.items():
        if group in OPAQUE.get(stage, []):
            continue
        known = [counters[metric] for metric in metrics if metric in counters]
        written, counted = totals[group][figure], sum(known) if len(known) == len(metrics) else None
        if figure == "conflicts" and counted is not None and written < counted <= written + arbitration:
            counted = written
        rows.append((group, figure, written, counted))
    return rows


def merged_loads_agree(rows):
    """Returns whether the compiler merged or removed shared loads. The counters then have fewer instructions, at most
    as many wavefronts and conflicts, and at least one wavefront per instruction. All other figures must be equal."""
    figures = {(group, figure): (written, counted) for group, figure, written, counted in rows}
    if ("shared_load", "instructions") not in figures:
        return False
    instructions = figures[("shared_load", "instructions")]
    wavefronts = figures[("shared_load", "wavefronts")]
    conflicts = figures[("shared_load", "conflicts")]
    joined = [("shared_load", "instructions"), ("shared_load", "wavefronts"), ("shared_load", "conflicts")]
    others_equal = all(written == counted for key, (written, counted) in figures.items() if key not in joined)
    return (others_equal and instructions[0] > instructions[1] > 0
            and instructions[1] <= wavefronts[1] <= wavefronts[0] and conflicts[1] <= conflicts[0])


# The counter of the sectors that cp.async reads differs between readings (see app/cli/counters.cpp), so it is read
# again.
MOST_READINGS = 12


def only_copies_differ(stage, totals, counters):
    differing = [(group, figure) for group, figure, written, counted in compare_totals(stage, totals, counters)
                 if written != counted]
    return differing == [("global_load", "sectors")] and counters.get(COPIED_SECTORS, 0) > 0


def own_counters(machine, report):
    """Compares the accesses that gemmscope derives from the machine code with the counters that gemmscope reads."""
    stages, result = machine.gemmscope_json("counters", "--check", "--per-instruction", timeout=900)
    if not stages:
        report.check("counters through CUPTI", False, result.tail())
        return
    for stage in stages:
        wrong = [f"{row['group']} {row['figure']}: as executed {row['as_executed']}, counted {row['counter']}"
                 for row in stage["compared"] if not row["agrees"]]
        each = stage["per_instruction"]
        wrong += [f"line {row['line']} {row['name']}: as executed {row['as_executed']}, counted {row['counter']}"
                  for row in each.get("lines", []) if row["agrees"] is False]
        wrong += [each["why_missing"]] if each["why_missing"] else []
        followed = not stage["why_not_executed"] or stage["stage"] == "wgmma_tma"
        again = f", in reading {stage['readings']}" if stage["readings"] > 1 else ""
        report.check(f"counters through CUPTI: {stage['stage']}", stage["ok"] and followed,
                     ", ".join(wrong) or ("equal" + again if followed else stage["why_not_executed"]))


def counters(machine, report):
    own_counters(machine, report)
    ncu = find_tool("ncu")
    if not ncu:
        report.skip("counters", "ncu (Nsight Compute) is not installed")
        return
    names = ",".join([metric for metrics in METRICS.values() for metric in metrics] + [ARBITRATION])
    for stage, facts in machine.stages().items():
        size = facts["small_size"]
        file = machine.folder / f"{stage}-counted.gscope"
        recorded = machine.gemmscope("record", stage, "--backend", "cuda", "--size", size, "-o", file)
        info, _ = machine.gemmscope_json("info", file)
        # One alpha and beta, so each of the stage's kernels runs once. At this size the reference is computed on the
        # CPU, so no other kernel runs.
        command = [ncu, "--csv", "--print-units", "base", "--clock-control", "none", "--launch-count",
                   str(facts["launches"]), "-k", f"regex:{stage}", "--metrics", names, machine.program,
                   "verify", stage, "--backend", "cuda", "--size", size, "--alpha=1", "--beta=0"]
        profiled = machine.run(command)
        values = read_metrics(profiled.output)
        readings = 1
        while info and values and only_copies_differ(stage, info["totals"], values) and readings < MOST_READINGS:
            values = read_metrics(machine.run(command).output)
            readings += 1
        if "ERR_NVGPUCTRPERM" in profiled.output + profiled.errors:
            report.skip(f"counters: {stage}", "this user may not read the GPU's counters (run as root)")
            continue
        if recorded.status != 0 or not info or not values:
            report.check(f"counters: {stage}", False, recorded.tail() + "\n      " + profiled.tail())
            continue
        report_stage(report, stage, compare_totals(stage, info["totals"], values))


def report_stage(report, stage, rows):
    differing = [row for row in rows if row[2] != row[3]]
    if not differing:
        shown = [f"{group} {figure} {written:,}" for group, figure, written, _ in rows if written]
        report.check(f"counters: {stage}", True, "all equal: " + ", ".join(shown))
        return
    text = ", ".join(f"{group} {figure}: as written {written}, counted {counted}"
                     for group, figure, written, counted in differing)
    if all(counted is not None for _, _, _, counted in rows) and merged_loads_agree(rows):
        report.check(f"counters: {stage}", True, "shared loads merged by the compiler: " + text + "; all others equal")
    else:
        report.check(f"counters: {stage}", False, text)
