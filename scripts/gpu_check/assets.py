"""The program behind scripts/make-assets, whose comment documents it."""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import sys
import tempfile

import shapes as random_shapes
import waits
from common import ROOT, Machine, Report, Stopwatch, defaults

# All JSON files contain their format, device and date (UTC); a row of counters.json may have another date. speeds.json
# also contains toolkit, peak_gflops (of FP32), and rows as `gemmscope bench --json` prints them: in "rows" at the usual
# sizes, in "by_size" at others. app/data/speeds.h describes the rows.
FORMAT = 1
PARTS = ["recordings", "sizes", "launches", "tall", "gpu", "speeds", "shapes", "random", "library", "counters", "warps",
         "candidates"]
BY_STAGE = {"recordings", "sizes", "launches", "counters"}  # what can be made of some stages alone
COMPILING = {"recordings", "sizes", "launches", "speeds", "counters"}  # the others prepare what they need themselves
AT_ONCE = 3  # sizes at a time: most of the time goes into starting the program, and the GPU runs one process at a time
OTHER_SIZES = ["512", "1024", "2048"]
ENERGY_AT = "1024"  # in addition to the largest size
# All shapes take 8.6 GFLOP, from tall (few tiles of C, a long K) to flat, so that only the shape makes a difference.
SHAPES = ["256x256x65536", "512x512x16384", "1024x1024x4096", "2048x2048x1024", "4096x4096x256"]
SPLIT = "split_k"  # also with other numbers of slices at each shape
LIBRARIES = ["cublas_sgemm", "cublas_tf32", "cublas_fp16", "cublas_bf16"]
COUNTED_LIBRARIES = [*LIBRARIES, "cublas_dgemm"]
TALL = ["warp_tile", SPLIT]  # launches of few tiles of C, with and without slices
TALL_SIZE = "256x256x4096"
LARGE_COUNTED = ["1024", "4096"]  # in addition to the recorded size; the matrices exceed L1, and L2 at 4096
# Members of the output of `gemmscope counters`. Everything else is derived from them.
COUNTED = ("stage", "parameters", "size", "alpha", "beta", "device", "toolkit", "max_threads_per_sm", "launches", "passes",
           "registers_per_thread", "counters", "percents", "readings", "per_instruction")
RUN_AT = "1024"  # size for "run" (executed instructions, stall reasons) of each GEMM stage; large enough to fill a GPU
PER_INSTRUCTION = ("instructions", "readings")
SEARCHED = "4096"
# Launches whose warps are timed: about as many blocks per SM as fit at once, and a K of a few k-tiles, so that all of
# it is visible. With the warps of one block per SM, and with as many as fit.
WATCHED = [("coalesced", "512x512x32", ["--param", "block=16"], 8),
           ("shared_tile", "512x512x64", ["--param", "tile=16"], 8),
           ("vectorized", "2048x2048x64", [], 8),
           ("async_copy", "2048x2048x128", [], 4)]
LARGEST_WATCHED = 3_000_000  # bytes of warps.json
LARGEST_BYTES = 400_000  # of one recording; recordings are part of the repository


def blocks_in_full(grid):
    """Returns all blocks of a grid of up to four, as the window records it (app/workspace/choice.h), otherwise the
    first and last."""
    x, y, z = grid
    blocks = [(i % x, i // x % y, i // x // y) for i in range(x * y * z)]
    chosen = blocks if len(blocks) <= 4 else [blocks[0], blocks[-1]]
    return [part for block in chosen for part in ("--block", ",".join(map(str, block)))]


def recorded_size(facts):
    """Returns the size at which the window shows a stage first. For a GEMM it has at least two tiles of C each way and
    eight k-tiles, so that the recording is not dominated by the edges of C. See kernels/recording/tiles.h."""
    return facts["whole_size"] if facts["gemm"] else facts["small_size"]


def record(machine, backend, stage, facts, folder):
    """Makes SLUG.gscope with as many complete blocks as fit. Returns (path, info), or (None, reason)."""
    path = folder / f"{stage}.gscope"
    beside = folder / f"{stage}.new"
    common = ["record", stage, "--backend", backend, "--size", recorded_size(facts), *defaults(facts), "-o", beside]
    made = machine.gemmscope(*common)
    info, _ = machine.gemmscope_json("info", beside)
    if made.status != 0 or not info:
        beside.unlink(missing_ok=True)
        return None, made.tail()
    grid = info["launch"]["grid"]
    if grid != [1, 1, 1]:
        small = beside.read_bytes()
        made = machine.gemmscope(*common, *blocks_in_full(grid))
        if made.status != 0:
            beside.unlink(missing_ok=True)
            return None, made.tail()
        if beside.stat().st_size > LARGEST_BYTES:
            beside.write_bytes(small)
        info, _ = machine.gemmscope_json("info", beside)
    size_in_bytes = beside.stat().st_size
    if size_in_bytes > LARGEST_BYTES or info["backend"] != backend:
        beside.unlink()
        return None, f"{size_in_bytes:,} bytes made on {info['backend']}; at most {LARGEST_BYTES:,} made on {backend}"
    beside.replace(path)
    return path, info


def record_all(machine, report, backend, stages, folder):
    """Returns the info of a recording. Runs one at a time, because other work on the GPU would change the blocks'
    times."""
    one = None
    for stage, facts in stages.items():
        path, info = record(machine, backend, stage, facts, folder)
        if path:
            one = info
            report.check(f"record: {stage} at {recorded_size(facts)}", True,
                         f"{path.stat().st_size:,} bytes, blocks {info['blocks_in_full']} of {info['launch']['grid']}")
        elif backend == "cpu" and "compute capability" in info:
            report.skip(f"record: {stage}", info)
        else:
            report.check(f"record: {stage} at {recorded_size(facts)}", False, info)
    return one


def remove_unknown(report, stages, folder):
    """Removes recordings of stages that the ladder no longer has."""
    for old in folder.glob("*.gscope"):
        if old.stem.removesuffix("-tall") not in stages:
            old.unlink()
            report.check(f"remove: {old.name}", True, "the ladder has no such stage")


def record_sizes(machine, report, backend, stages, folder):
    """Makes sizes/SLUG-ragged.gscope, whose last tiles extend beyond the matrices, and SLUG-common.gscope for stages
    that are compared although their own sizes differ. See kernels/recording/tiles.h."""
    (folder / "sizes").mkdir(exist_ok=True)
    gemms = [(stage, facts, shape) for stage, facts in stages.items() if facts["gemm"] for shape in ("ragged", "common")
             if facts[f"{shape}_size"] != recorded_size(facts)]

    def one(item):
        stage, facts, shape = item
        path = folder / "sizes" / f"{stage}-{shape}.gscope"
        made = machine.gemmscope("record", stage, "--backend", backend, "--size", facts[f"{shape}_size"], *defaults(facts),
                                 "-o", path)
        return made, path

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for (stage, facts, shape), (made, path) in zip(gemms, pool.map(one, gemms)):
            name = f"record: {stage} at {facts[f'{shape}_size']}"
            if made.status != 0 and backend == "cpu" and "compute capability" in made.tail():
                report.skip(name, made.tail())
                continue
            size = path.stat().st_size if made.status == 0 else 0
            report.check(name, 0 < size <= LARGEST_BYTES, f"{size:,} bytes" if size else made.tail())


def launch_sizes(facts):
    """Returns the sizes to try for a launch of many blocks, the largest first."""
    if facts["gemm"]:
        return ["2048", "1024", "512", "256"]
    return ["1048576"] if facts["small_size"].isdigit() else ["256x256"]


def placed(machine, path):
    """Describes the cost of recording the placement, and whether the blocks' times are shown."""
    info, result = machine.gemmscope_json("info", path)
    if not info or not info["placed"]:
        return result.tail() if not info else "no placements"
    run, timed = info["placed"], info["resources"]
    return (f"{run['placed_ms']:.4f} ms, plain {run['plain_ms']:.4f} ({run['placed_ms'] / run['plain_ms'] - 1:+.2%}), "
            f"{run['registers_per_thread']} registers, plain {timed['registers_per_thread']}, "
            f"{run['blocks_per_sm']} blocks per SM, plain {timed['blocks_per_sm']}: "
            f"{'times are shown' if run['times'] else 'NO TIMES'}")


def record_launches(machine, report, stages, folder):
    """Makes launches/SLUG.gscope: totals and placements of many blocks, without a complete block. Runs one at a time,
    because other work on the GPU would change the blocks' times."""
    launches = folder / "launches"
    launches.mkdir(exist_ok=True)
    for stage, facts in stages.items():
        beside = launches / f"{stage}.new"
        for size in launch_sizes(facts):
            made = machine.gemmscope("record", stage, "--backend", "cuda", "--bare", "--size", size, *defaults(facts),
                                     "-o", beside)
            small = made.status == 0 and beside.stat().st_size <= LARGEST_BYTES
            if small or made.status != 0:
                break
        if report.check(f"launch: {stage} at {size}", small, placed(machine, beside) if small else made.tail()):
            beside.replace(launches / f"{stage}.gscope")
        beside.unlink(missing_ok=True)


def record_tall(machine, report, stages, folder):
    """Makes launches/SLUG-tall.gscope: the same for a few tiles of C and a long K."""
    (folder / "launches").mkdir(exist_ok=True)
    for stage in TALL:
        beside = folder / "launches" / f"{stage}-tall.new"
        made = machine.gemmscope("record", stage, "--backend", "cuda", "--bare", "--size", TALL_SIZE,
                                 *defaults(stages[stage]), "-o", beside)
        if report.check(f"launch: {stage} at {TALL_SIZE}", made.status == 0,
                        made.tail() if made.status else placed(machine, beside)):
            beside.replace(folder / "launches" / f"{stage}-tall.gscope")
        beside.unlink(missing_ok=True)


def measure_gpu(machine, report, folder):
    """gpu.json, see app/data/gpu.h."""
    facts, result = machine.gemmscope_json("info", "--measure", timeout=300)
    if not report.check("measure: the GPU itself", bool(facts) and result.status == 0, "" if facts else result.tail()):
        return
    write(folder, "gpu.json", facts)


def speeds(machine, report, made_on, folder):
    rows, result = machine.gemmscope_json("bench", "--backend", "cuda", "--seconds", "0.4", "--energy", timeout=900)
    gemms = [stage for stage, facts in machine.stages().items() if facts["gemm"]]
    by_size, other = [], result
    for size in OTHER_SIZES:
        more = [*COUNTED_LIBRARIES, "--energy"] if size == ENERGY_AT else []
        found, other = machine.gemmscope_json("bench", *gemms, *more, "--backend", "cuda", "--seconds", "0.1", "--size", size,
                                              timeout=900)
        by_size = by_size + found if found and by_size is not None else None
    if not rows or not by_size:
        report.check("bench", False, result.tail() + other.tail())
        return
    for row in rows + by_size:
        ok = bool(row.get("ok")) or "missing" in row
        report.check(f"bench: {row['stage']} at {row['size']}", ok,
                     row.get("missing") or f"{row['gflops'] or 0:,.0f} GFLOPS, error {row['error']}")
    peaks = [row["gflops"] / row["of_peak"] for row in rows if row.get("gflops") and row.get("of_peak")]
    written = {"format": FORMAT,
               "device": made_on["device"],
               "toolkit": made_on["toolkit"],
               "date": today(),
               "peak_gflops": peaks[0] if peaks else None,
               "rows": measured(rows),
               "by_size": measured(by_size)}
    write(folder, "speeds.json", written)
    report.check("bench: speeds.json written", True, f"{len(rows) + len(by_size)} rows, {made_on['device']}")


def shapes(machine, report, stages, folder):
    """shapes.json, see app/data/speeds.h: rows as `gemmscope bench --json` prints them."""
    gpu, _ = machine.gemmscope_json("info")
    gemms = [stage for stage, facts in stages.items() if facts["gemm"]]
    sizes = [part for shape in SHAPES for part in ("--size", shape)]
    common = ["--backend", "cuda", "--seconds", "0.1", *sizes]
    rows, result = machine.gemmscope_json("bench", *gemms, LIBRARIES[0], *common, timeout=900)
    slices = {parameter["name"]: parameter for parameter in stages[SPLIT]["parameters"]}["SPLIT"]["default"]
    for split in (2, 4, 8):
        if rows and split != slices:
            found, result = machine.gemmscope_json("bench", SPLIT, "--param", f"SPLIT={split}", *common, timeout=300)
            rows = rows + found if found else None
    if not rows or not gpu:
        report.check("shapes", False, result.tail())
        return
    for row in rows:
        report.check(f"shape: {row['stage']} at {row['size']}", bool(row.get("ok")) or "missing" in row,
                     row.get("missing") or f"{row['gflops'] or 0:,.0f} GFLOPS, error {row['error']}")
    write(folder, "shapes.json", {"format": FORMAT, "device": gpu["gpu"]["name"], "toolkit": gpu["gpu"]["toolkit"],
                                  "date": today(), "rows": measured(rows)}, rows="rows")
    report.check("shapes: shapes.json written", True, f"{len(rows)} rows, {gpu['gpu']['name']}")


def at_random(machine, report, folder):
    """random_shapes.json, see app/data/speeds.h: rows as `gemmscope bench --shapes --json` prints them."""
    gpu, _ = machine.gemmscope_json("info")
    date = today()
    found, result = random_shapes.bench(machine, date)
    if not found or not gpu:
        report.check("random", False, result.tail())
        return
    wrong = random_shapes.wrong(found["rows"])
    for one in found["summary"]:
        print(f"      {one['stage']}: {one['geometric_mean_of_cublas']:.3f} of cuBLAS over {one['shapes']} shapes", flush=True)
    if not report.check("random: every result right", bool(found["rows"]) and not wrong,
                        "; ".join(wrong[:5]) or f"{len(found['rows'])} rows, seed {found['seed']}"):
        return
    write(folder, "random_shapes.json", {"format": FORMAT, "device": gpu["gpu"]["name"], "toolkit": gpu["gpu"]["toolkit"],
                                         "date": date, "seed": found["seed"], "rows": measured(found["rows"])}, rows="rows")
    report.check("random: random_shapes.json written", True, f"{len(found['rows'])} rows, {gpu['gpu']['name']}")


def library(machine, report, folder):
    """library.json, see app/data/gpu.h: which kernels cuBLAS launches at the sizes and shapes of the speeds."""
    gpu, _ = machine.gemmscope_json("info")
    sizes = [part for size in [*OTHER_SIZES, "4096", *SHAPES] for part in ("--size", size)]
    rows, result = machine.gemmscope_json("bench", *LIBRARIES, "--kernels", "--backend", "cuda", "--seconds", "0.1",
                                          *sizes, timeout=600)
    if not rows or not gpu:
        report.check("library", False, result.tail())
        return
    for row in rows:
        report.check(f"library: {row['stage']} at {row['size']}", "kernels" in row,
                     row.get("kernels_missing") or row.get("missing") or
                     ", ".join(kernel["name"][:60] for kernel in row["kernels"]))
    kept = [{key: row[key] for key in ("stage", "size", "type", "gflops", "kernels")} for row in rows if "kernels" in row]
    if kept:
        facts = {key: gpu["gpu"][key] for key in ("toolkit", "compute_capability", "sm_count")}
        write(folder, "library.json", {"format": FORMAT, "device": gpu["gpu"]["name"], **facts, "date": today(),
                                       "rows": kept}, rows="rows")
        report.check("library: library.json written", True, f"{len(kept)} rows, {gpu['gpu']['name']}")


def measured(rows):
    """Returns the rows without members that are computed from other rows."""
    return [{key: value for key, value in row.items() if key != "over_naive"} for row in rows]


def write(folder, name, contents, rows=None):
    """`rows` names the list whose entries are written on one line each. Indented, they would take twice the space."""
    text = json.dumps({**contents, **({rows: []} if rows else {})}, indent=1)
    if rows:
        lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in contents[rows])
        text = text.replace(f'"{rows}": []', f'"{rows}": [\n{lines}\n ]')
    beside = folder / f"{name}.new"
    beside.write_text(text + "\n", encoding="utf-8")
    beside.replace(folder / name)


def today():
    return datetime.datetime.now(datetime.timezone.utc).date().isoformat()


def counted(row, with_run):
    shipped = {key: row[key] for key in COUNTED if key in row}
    if with_run:
        shipped.pop("per_instruction", None)
        shipped.update({"run": row["run"]} if "run" in row else {})
    if "per_instruction" in shipped:
        shipped["per_instruction"] = {key: shipped["per_instruction"][key] for key in PER_INSTRUCTION
                                      if key in shipped["per_instruction"]}
    return {key: value for key, value in shipped.items() if value != {}}


def with_kept(before, rows):
    """Replaces the counted rows among the shipped ones. The other rows keep their dates."""
    anew = {(row["stage"], row["size"]) for row in rows}
    kept = [{"date": before["date"], **row} for row in before["rows"]]
    at = next((i for i, row in enumerate(kept) if (row["stage"], row["size"]) in anew), len(kept))
    kept = [row for row in kept if (row["stage"], row["size"]) not in anew]
    return kept[:at] + rows + kept[at:]


def counters(machine, report, stages, folder, alone=False):
    """Makes counters.json, see app/data/counters.h: counters of every stage at the size of its recording, also per
    instruction; of the GEMM stages at large sizes with the parameters that the window shows; of cuBLAS at large sizes.
    `alone` limits it to these stages, and the other rows stay."""
    rows, made_on = [], None
    for stage, facts in stages.items():
        wanted = [(recorded_size(facts), ["--per-instruction", "--no-samples"])]
        if facts["gemm"]:
            wanted += [(facts["common_size"], ["--only-counted"])] if facts["common_size"] != recorded_size(facts) else []
            wanted += [(size, ["--only-counted", "--per-instruction"] if size == RUN_AT else ["--only-counted"])
                       for size in LARGE_COUNTED]
        for size, how in wanted:
            common = ["counters", stage, "--backend", "cuda", "--size", size, *defaults(facts)]
            found, result = machine.gemmscope_json(*common, *how, timeout=180)
            if not found:  # counting per instruction may fail where the other counters work
                found, result = machine.gemmscope_json(*common, "--only-counted", timeout=180)
            row = found[0] if found else None
            l2 = row["only_counted"]["l2_hit_rate"] if row else None
            if report.check(f"counters: {stage} at {size}", bool(row),
                            f"L2 hits {'unknown' if l2 is None else format(l2, '.1%')}" if row else result.tail()):
                made_on = made_on or row
                rows.append(counted(row, size == RUN_AT))
            if row and row.get("per_instruction", {}).get("why_missing"):
                report.check(f"counters: each instruction of {stage} at {size}", False, row["per_instruction"]["why_missing"])
            if row and facts["gemm"] and size == RUN_AT:
                check_run(report, stage, row)
    for library in [] if alone else COUNTED_LIBRARIES:
        for size in LARGE_COUNTED:
            found, result = machine.gemmscope_json("counters", library, "--backend", "cuda", "--size", size, timeout=180)
            name = f"counters: {library} at {size}"
            if report.check(name, bool(found), throughputs(found[0]) if found else result.tail()):
                rows.append(counted(found[0], False))
    if not rows:
        return
    shipped = folder / "counters.json"
    if alone and shipped.exists():
        before = json.loads(shipped.read_text(encoding="utf-8"))
        same = all(before[what] == made_on[what] for what in ("device", "toolkit"))
        if not report.check("counters: on the GPU and toolkit of those that stay", same,
                            f"{before['device']}, {before['toolkit']}; here {made_on['device']}, {made_on['toolkit']}"):
            return
        rows = with_kept(before, rows)
    write(folder, "counters.json", {"format": FORMAT, "device": made_on["device"], "toolkit": made_on["toolkit"],
                                    "date": today(), "rows": rows}, rows="rows")
    report.check("counters: counters.json written", True, f"{len(rows)} rows, {made_on['device']}")


def throughputs(row):
    """Describes a counted row."""
    shares = {name: row["only_counted"][f"{name}_throughput"] for name in ("compute", "memory", "dram")}
    return f"{row['launches']} kernels, " + ", ".join(f"{name} {'unknown' if share is None else format(share, '.1%')}"
                                                      for name, share in shares.items())


def warps(machine, report, stages, folder):
    """warps.json, see app/data/gpu.h: rows as `gemmscope warps --json` prints them."""
    gpu, result = machine.gemmscope_json("info")
    if not report.check("warps: the GPU", bool(gpu), "" if gpu else result.tail()):
        return
    rows = []
    for stage, size, parameters, few in WATCHED:
        chosen = parameters or defaults(stages[stage])
        for limit in (["--resident-warps", str(few)], []):
            row, result = machine.gemmscope_json("warps", stage, "--size", size, *chosen, *limit)
            name = f"warps: {stage} at {size}, {few if limit else 'as many as fit'}"
            if report.check(name, bool(row), f"{len(row['warps'])} warps, {row['probed']['blocks_per_sm']} blocks at once, "
                            f"{row['probed_ms'] / row['plain_ms']:.2f} times as long with the probe" if row else result.tail()):
                rows.append(row)
    if not rows:
        return
    contents = {"format": FORMAT, "device": gpu["gpu"]["name"], "toolkit": gpu["gpu"]["toolkit"], "date": today(), "rows": rows}
    size = sum(len(json.dumps(row, separators=(",", ":"))) for row in rows)
    if report.check("warps: warps.json", size <= LARGEST_WATCHED, f"{size:,} bytes, {len(rows)} rows"):
        write(folder, "warps.json", contents, rows="rows")


def check_run(report, stage, row):
    """Checks that executed instructions and warp samples were counted and add up (see scripts/gpu_check/waits.py)."""
    run, each = row.get("run"), row.get("per_instruction", {})
    why = each.get("why_missing") or each.get("why_not_sampled") or ("" if run else "gemmscope said nothing of it")
    problems = waits.problems(row)
    report.check(f"run: {stage} at {row['size']}", not why and not problems, why or "; ".join(problems) or waits.summary(row))


def candidates(machine, report, folder, seconds):
    """Makes candidates.json, see app/data/searches.h: all candidates of a search for parameters, at one size."""
    found, result = machine.gemmscope_json("tune", "autotuned", "--backend", "cuda", "--size", SEARCHED,
                                           "--seconds", str(seconds), timeout=1800)
    whole = bool(found) and found["whole"]
    if not report.check(f"tune: autotuned at {SEARCHED}", whole,
                        f"{len(found['candidates'])} candidates" if whole else result.tail()):
        return
    write(folder, "candidates.json", {"format": FORMAT, "device": found["gpu"], "date": today(), "searches": [found]},
          rows="searches")


def parse_arguments():
    parser = argparse.ArgumentParser(prog="make-assets", description="see scripts/make-assets")
    parser.add_argument("--backend", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--only", choices=PARTS, action="append", help="make this part alone; may be repeated")
    parser.add_argument("--stage", action="append", metavar="SLUG", help="of this stage alone; may be repeated")
    parser.add_argument("--candidates", action="store_true", help="search for parameters, too: this takes minutes")
    parser.add_argument("--seconds", type=float, default=0.05, help="of the search, for each candidate")
    options = parser.parse_args()
    usual = ["recordings"] if options.backend == "cpu" else [part for part in PARTS if part not in ("sizes", "candidates")]
    options.parts = set(options.only or usual) | ({"candidates"} if options.candidates else set())
    if options.stage and not options.parts <= BY_STAGE:
        parser.error(f"of some stages alone these parts can be made: --only {', '.join(sorted(BY_STAGE))}")
    if options.backend == "cpu" and not options.parts <= {"recordings", "sizes"}:
        parser.error("a CPU makes recordings only")
    return options


def make(machine, report, options, folder):
    ladder = machine.stages()
    for unknown in set(options.stage or []) - set(ladder):
        raise SystemExit(f"make-assets: the ladder has no stage {unknown}")
    stages = {slug: facts for slug, facts in ladder.items() if not options.stage or slug in options.stage}
    recorded = next(folder.glob("*.gscope"), None)
    if "speeds" in options.parts and not recorded and "recordings" not in options.parts:
        raise SystemExit(f"make-assets: no recording in {folder} says which GPU this is; add --only recordings")
    if options.backend == "cuda" and options.parts & COMPILING:
        machine.compile_everything(report, *(options.stage or []))
    made_on = None
    if "recordings" in options.parts:
        made_on = record_all(machine, report, options.backend, stages, folder)
        remove_unknown(report, ladder, folder)
        if not made_on:
            return
    if "sizes" in options.parts:
        record_sizes(machine, report, options.backend, stages, folder)
    if "launches" in options.parts:
        record_launches(machine, report, stages, folder)
        remove_unknown(report, ladder, folder / "launches")
    if "tall" in options.parts:
        record_tall(machine, report, stages, folder)
    if "gpu" in options.parts:
        measure_gpu(machine, report, folder)
    if "speeds" in options.parts:
        made_on = made_on or machine.gemmscope_json("info", recorded)[0]
        speeds(machine, report, made_on, folder)
    if "shapes" in options.parts:
        shapes(machine, report, stages, folder)
    if "random" in options.parts:
        at_random(machine, report, folder)
    if "library" in options.parts:
        library(machine, report, folder)
    if "counters" in options.parts:
        counters(machine, report, stages, folder, alone=bool(options.stage))
    if "warps" in options.parts:
        warps(machine, report, stages, folder)
    if "candidates" in options.parts:
        candidates(machine, report, folder, options.seconds)


def main():
    options = parse_arguments()
    out = os.environ.get("OUT")
    if options.backend == "cpu" and not out:
        sys.exit("make-assets: recordings made on a CPU are not shipped; name a folder for them with OUT.")
    folder = pathlib.Path(out or ROOT / "assets" / "recordings")
    folder.mkdir(parents=True, exist_ok=True)
    report, watch = Report(), Stopwatch()
    with tempfile.TemporaryDirectory(prefix="make-assets-") as cache:
        machine = Machine(cache)
        machine.environment["XDG_CONFIG_HOME"] = cache  # default parameters, not those of a search on this machine
        make(machine, report, options, folder)
    print(f"{report.passed} passed, {report.failed} failed, {watch.seconds():.0f} s, in {folder}")
    sys.exit(1 if report.failed or not report.passed else 0)


if __name__ == "__main__":
    main()
