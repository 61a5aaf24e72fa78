"""Measures the fastest stages over sizes and runs, and the loss of speed if one of their techniques is switched off."""

from speed import device, share, today, write_table

SIZES = ["1024", "2048", "4095", "4096", "4097", "8192"]
RUNS = 5
# The median run must reach at least this speed relative to cuBLAS; see the README.
GOALS = {"fastest": {"1024": 0.95, "2048": 1.0, "4095": 0.95, "4096": 1.0, "4097": 0.95, "8192": 1.0},
         "wgmma_tma": {"2048": 0.95, "4096": 1.0, "8192": 1.0}}
OTHER_BETA = ["--alpha=-0.5", "--beta", "3"]

ABLATION_SIZE = "4096"
ABLATIONS = {
    "fastest": [("fragments read only when needed", ["AHEAD=0"]),
                ("lanes row after row: B's 16-byte reads take 4 wavefronts", ["PAIRS=0"]),
                ("products always from left to right", ["SNAKE=0"]),
                ("A not padded: its copies meet in the banks", ["PAD=0"]),
                ("a third tile in shared memory instead", ["STAGES=3"]),
                ("blocks row after row", ["GROUP=1"]),
                ("tiles of 128 x 128, two blocks per SM", ["BN=128", "BLOCKS=2"]),
                ("8 x 8 results per thread, 128 x 128 tiles, two blocks per SM", ["BN=128", "TM=8", "BLOCKS=2"])],
    "mma_ldmatrix": [("two tiles in shared memory", ["STAGES=2"]), ("blocks row after row", ["GROUP=1"]),
                     ("warp tiles of 64 x 32", ["WN=32"]), ("tiles of 128 x 128", ["BN=128"])],
    "wgmma_tma": [("two tiles in shared memory", ["STAGES=2"]), ("tiles row after row", ["GROUP=1"]),
                  ("tiles of 256 x 64: one warpgroup computes", ["BN=64"]), ("tiles of 128 x 128", ["BM=128"]),
                  ("not persistent: a block for each tile", ["BLOCKS=1000000"])],
}


def spread(machine, report):
    """Returns the lines of a table: speed relative to cuBLAS in the median run, minimum and maximum."""
    sizes = [part for size in SIZES for part in ("--size", size)]
    often = [stage for stage in GOALS for _ in range(RUNS)]
    usual, result = machine.gemmscope_json("bench", *often, "--backend", "cuda", "--seconds", "0.2", *sizes, timeout=300)
    scaled, other = machine.gemmscope_json("bench", *GOALS, "--backend", "cuda", "--seconds", "0.2", *OTHER_BETA, *sizes,
                                           timeout=300)
    rows = (usual or []) + (scaled or [])
    if not usual or not scaled or any(not row["ok"] or row["of_cublas"] is None for row in rows):
        report.check("top: runs", False, result.tail() + other.tail())
        return []
    lines = ["| stage | size | GFLOPS | of cuBLAS | least | most | alpha -0.5, beta 3 |", "|---|---:|---:|---:|---:|---:|---:|"]
    for stage in GOALS:
        for size in SIZES:
            of = {key: sorted(row[key] for row in usual if (row["stage"], row["size"]) == (stage, size))
                  for key in ("of_cublas", "gflops")}
            middle = of["of_cublas"][RUNS // 2]
            goal = GOALS[stage].get(size)
            if goal is not None:
                report.check(f"top: {stage} at {size}", middle >= goal,
                             f"{share(middle)} of cuBLAS, at least {share(goal)}")
            with_beta = next(row for row in scaled if (row["stage"], row["size"]) == (stage, size))
            lines.append(f"| {stage} | {size} | {of['gflops'][RUNS // 2]:,.0f} | {share(middle)} | "
                         f"{share(of['of_cublas'][0])} | {share(of['of_cublas'][-1])} | {share(with_beta['of_cublas'])} |")
    return lines


def ablation(machine, report):
    """Returns the lines of a table: the speed with each technique switched off."""
    lines = ["| stage | switched off | parameters | GFLOPS | of the whole |", "|---|---|---|---:|---:|"]
    for stage, ideas in ABLATIONS.items():
        whole = None
        for idea, parameters in [("nothing", []), *ideas]:
            rows, result = machine.gemmscope_json("bench", stage, "--backend", "cuda", "--seconds", "0.2", "--size", ABLATION_SIZE,
                                                  *[part for value in parameters for part in ("--param", value)])
            ok = bool(rows) and rows[0]["ok"]
            report.check(f"ablation: {stage}, {idea}", ok, f"{rows[0]['gflops']:,.0f} GFLOPS" if ok else result.tail())
            if ok:
                whole = whole or rows[0]["gflops"]
                lines.append(f"| {stage} | {idea} | {' '.join(parameters)} | {rows[0]['gflops']:,.0f} | "
                             f"{share(rows[0]['gflops'] / whole)} |")
    return lines


def top(machine, report):
    gpu, toolkit = device(machine)
    lines = [f"# The top of the ladder: {gpu}, {today()}", "",
             f"Made by `scripts/gpu-check top` on one {gpu} ({toolkit}). Random inputs, clocks as found, cuBLAS in the same "
             f"run with the same types. The middle one of {RUNS} runs with alpha 1 and beta 0, the least and the most; "
             "then one run with alpha -0.5 and beta 3.", ""]
    lines += spread(machine, report)
    lines += ["", f"One idea switched off at a time, {ABLATION_SIZE}^3:", ""]
    lines += ablation(machine, report)
    write_table(gpu, "-top", lines)
