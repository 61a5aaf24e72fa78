"""Checks that the executed instructions and the warp samples of `gemmscope counters --per-instruction --json` add up.
The section `waits` of gpu-check does so for four stages and prints a table of their warps' stall reasons."""

import json

# The hardware's count of executed warp instructions, from another run of the same launch.
EXECUTED = "smsp__inst_executed.sum"
TOLERANCE = 0.001
WAITING = {"wgmma_tma"}
TOLERANCE_OF_WAITING = 0.1  # a loop that waits for a copy (mbarrier) has another number of iterations in each run
MOST_DROPPED = 0.05


def executed(run):
    return sum(times * value for times, value in run["executed"])


def sampled(samples):
    """Returns {state: number of samples}."""
    sums = [0] * len(samples["states"])
    for row in samples["at"]:
        for state, warps in zip(row[1::2], row[2::2]):
            sums[state] += warps
    return dict(zip(samples["states"], sums))


def problems(row):
    """Returns a sentence for each count that does not agree with another."""
    run, found = row.get("run"), []
    if not run:
        return ["nothing was counted of each instruction"]
    total, counted = executed(run), row["counters"].get(EXECUTED)
    if counted is None:
        found.append(f"the GPU has no {EXECUTED}")
    elif abs(total - counted) > (TOLERANCE_OF_WAITING if row["stage"] in WAITING else TOLERANCE) * counted:
        found.append(f"{total:,} executed, instruction by instruction, and {counted:,} of the launch")
    samples = run.get("samples")
    if not samples:
        return found + ["no samples"]
    kept = sum(sampled(samples).values())
    parts = kept + samples["dropped"] + samples["elsewhere"]
    if parts != samples["taken"]:
        found.append(f"{kept:,} samples, {samples['dropped']:,} dropped and {samples['elsewhere']:,} of other kernels are "
                     f"{parts:,}, and {samples['taken']:,} were taken")
    if samples["dropped"] > MOST_DROPPED * max(samples["taken"], 1):
        found.append(f"{samples['dropped']:,} of {samples['taken']:,} samples were dropped")
    return found


def summary(row):
    """Returns for example "1,234 executed; 56 samples, one each 1,024 cycles in 10 launches: 41.0% wait, ..." """
    samples = row["run"].get("samples")
    text = f"{executed(row['run']):,} executed"
    if not samples:
        return text
    states = sampled(samples)
    waiting = sum(count for state, count in states.items() if state != "selected")
    most = sorted(((count, state) for state, count in states.items() if state != "selected" and count), reverse=True)[:4]
    return (f"{text}; {sum(states.values()):,} samples, one each {samples['cycles']:,} cycles in {samples['launches']} launches: " +
            ", ".join(f"{count / max(waiting, 1):.1%} {state}" for count, state in most))


STAGES = ["naive", "shared_tile", "vectorized", "swizzled"]
SIZE = "1024"


def by_line(run):
    """Line to (samples of warps that wait there, the most frequent state)."""
    lines = {}
    states = run["samples"]["states"]
    for index, *pairs in run["samples"]["at"]:
        sums = lines.setdefault(run["line"][index], {})
        for state, warps in zip(pairs[0::2], pairs[1::2]):
            if states[state] != "selected":
                sums[states[state]] = sums.get(states[state], 0) + warps
    return {line: (sum(sums.values()), max(sums, key=sums.get)) for line, sums in lines.items() if sums}


def print_table(row):
    states = {state: count for state, count in sampled(row["run"]["samples"]).items() if state != "selected"}
    waiting = max(sum(states.values()), 1)
    for state, count in sorted(states.items(), key=lambda item: -item[1]):
        if count:
            print(f"      {state:<24}{count:>12,}{count / waiting:>8.1%}")
    for line, (count, most) in sorted(by_line(row["run"]).items(), key=lambda item: -item[1][0])[:6]:
        print(f"      {'line ' + str(line) if line else 'no line':<24}{count:>12,}{count / waiting:>8.1%}  mostly {most}")


def waits(machine, report):
    for stage in STAGES:
        rows, result = machine.gemmscope_json("counters", stage, "--backend", "cuda", "--size", SIZE, "--only-counted",
                                              "--per-instruction", timeout=180)
        name = f"waits: {stage} at {SIZE}"
        if not rows:
            report.check(name, False, result.tail())
            continue
        row = rows[0]
        machine.keep(f"waits-{stage}.json").write_text(json.dumps(row), encoding="utf-8")
        each = row.get("per_instruction", {})
        why = each.get("why_missing") or each.get("why_not_sampled")
        wrong = [why] if why else problems(row)
        report.check(name, not wrong, "; ".join(wrong) or summary(row))
        if row.get("run", {}).get("samples"):
            print_table(row)
