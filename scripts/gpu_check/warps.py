"""Checks the times at which the warps of one SM execute their steps, and shows what recording them costs."""

from common import defaults

# More blocks than any GPU has SMs, also of the largest tiles, so that SM 0 gets some; and few steps.
SIZES = {"vector_add": "1048576", "thread_coords": "256x256"}
GEMM = "2048x4096x64"


def unpack(row):
    """Yields each warp with its steps as (operation, cycle)."""
    kinds = row["kinds"]
    for warp in row["warps"]:
        now, came = warp["begin"], []
        for i in range(0, len(warp["steps"]), 3):
            now += warp["steps"][i + 1]
            came.append((kinds[warp["steps"][i]][0], now))
        yield warp, came


BARRIER = 4  # recording::Op::barrier


def barriers_hold(row):
    """Returns where a warp continued from a barrier before the last warp of its block arrived; "" if none did."""
    last, next_steps = {}, {}
    for warp, came in unpack(row):
        number = 0
        for i, (op, when) in enumerate(came):
            if op != BARRIER:
                continue
            key = (warp["block"], number)
            last[key] = max(last.get(key, 0), when)
            after = came[i + 1][1] if i + 1 < len(came) else warp["end"]
            next_steps[key] = min(next_steps.get(key, after), after)
            number += 1
    broken = [key for key, when in last.items() if next_steps[key] < when]
    return f"block {broken[0][0]} went through barrier {broken[0][1]} too early" if broken else ""


def whole_blocks(row):
    """Returns where a block lacks warps, or where a hardware slot has two warps at a time; "" if neither occurs."""
    blocks, slots = {}, {}
    for warp in row["warps"]:
        blocks[warp["block"]] = blocks.get(warp["block"], 0) + 1
        slots.setdefault(warp["slot"], []).append((warp["begin"], warp["end"]))
    for block, count in blocks.items():
        if count != row["warps_per_block"]:
            return f"block {block} has {count} of {row['warps_per_block']} warps"
    for slot, times in slots.items():
        times.sort()
        if any(after[0] < before[1] for before, after in zip(times, times[1:])):
            return f"two warps at once have slot {slot}: %warpid changed"
    return ""


def most_blocks(row):
    times = {}
    for warp in row["warps"]:
        begin, end = times.get(warp["block"], (warp["begin"], warp["end"]))
        times[warp["block"]] = (min(begin, warp["begin"]), max(end, warp["end"]))
    changes = sorted([(begin, 1) for begin, _ in times.values()] + [(end, -1) for _, end in times.values()])
    now = most = 0
    for _, by in changes:
        now += by
        most = max(most, now)
    return most


def told(row):
    span = max(warp["end"] for warp in row["warps"])
    ns = max(warp["end_ns"] for warp in row["warps"])
    return (f"{len(row['warps'])} warps, {sum(len(warp['steps']) for warp in row['warps']) // 3} steps, {span:,} cycles, "
            f"{ns:,} ns, {row['probed_ms'] / row['plain_ms']:.2f} times as long with the probe, registers "
            f"{row['plain']['registers_per_thread']} and {row['probed']['registers_per_thread']}, blocks at once "
            f"{row['plain']['blocks_per_sm']} and {row['probed']['blocks_per_sm']}")


def warps(machine, report):
    """Runs every stage with as many warps as fit on an SM, and with the warps of one block alone."""
    for stage, facts in machine.stages().items():
        size = GEMM if facts["gemm"] else SIZES.get(stage, facts["small_size"])
        common = ["warps", stage, "--size", size, *defaults(facts)]
        row, result = machine.gemmscope_json(*common, timeout=180)
        if row is None and "compute capability" in result.tail():
            report.skip(f"warps: {stage}", result.tail())
            continue
        if not report.check(f"warps: {stage} at {size}", bool(row), told(row) if row else result.tail()):
            continue
        for name, wrong in (("its barriers hold", barriers_hold(row)), ("its warps are whole", whole_blocks(row))):
            report.check(f"warps: {stage}, {name}", not wrong, wrong)
        alone, result = machine.gemmscope_json(*common, "--resident-warps", str(row["warps_per_block"]), timeout=180)
        if report.check(f"warps: {stage}, one block at a time", bool(alone), told(alone) if alone else result.tail()):
            most = most_blocks(alone)
            report.check(f"warps: {stage}, one block at a time, is that", most == 1, "" if most == 1 else f"{most} at once")
