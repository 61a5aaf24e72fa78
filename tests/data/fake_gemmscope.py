#!/usr/bin/env python3
"""Answers scripts/make-assets as gemmscope does on a machine with a GPU; the figures are made up."""
import json
import os
import sys

command, words = sys.argv[1], sys.argv[2:]


def after(name, otherwise=None):
    return words[words.index(name) + 1] if name in words else otherwise


def counted(stage, size):
    return {"stage": stage, "parameters": {"block": 32}, "size": size, "alpha": 1.0, "beta": 0.0, "device": "fake GPU",
            "toolkit": "NVRTC 0", "max_threads_per_sm": 2048, "launches": 1, "passes": 9, "registers_per_thread": 32,
            "counters": {"dram__bytes_read.sum": int(os.environ.get("FAKE_BYTES", 7)), "l1tex__t_sectors_lookup_hit.sum": 1,
                         "l1tex__t_sectors_lookup_miss.sum": 1},
            "percents": {"sm__throughput.avg.pct_of_peak_sustained_elapsed": 62.5}, "readings": 1, "compared": [], "origins": {}, "why_not_executed": "", "ok": True,
            "only_counted": {"l1_hit_rate": 0.5, "l2_hit_rate": None, "dram_read_bytes": 7, "dram_write_bytes": 0,
                             "achieved_occupancy": 0.5, "ipc": 1.0, "compute_throughput": 0.625,
                             "memory_throughput": None, "dram_throughput": None, "time_ns": 1000}}


def benched(stage, size, parameters):
    m, n, k = (int(side) for side in size.split("x")) if "x" in size else [int(size)] * 3
    # Faster with more blocks, up to 128 of them.
    gflops = min(128.0, m * n / 128 / 128 * parameters.get("SPLIT", 1)) * 100
    row = {"stage": stage, "size": size, "ok": True, "type": "fp32", "error": 1e-7, "gflops": gflops,
           "of_cublas": None, "median_ms": 2e-6 * m * n * k / gflops}
    if stage.startswith("cublas"):
        return {**row, **({"kernels": [LIBRARY_KERNEL]} if "--kernels" in words else {})}
    return {**row, "parameters": parameters}


LIBRARY_KERNEL = {"name": "ampere_sgemm_128x64_nn", "grid": [2, 4, 1], "block": [256, 1, 1], "cluster": [1, 1, 1],
                  "registers_per_thread": 122, "shared_bytes_per_block": 16384, "local_bytes_per_thread": 0,
                  "time_ns": 1500.0}
WARP_TILE = {"BM": 128, "BN": 128, "BK": 16, "WM": 64, "WN": 64, "WNITER": 4, "TM": 8, "TN": 4}

if command == "stages" and "FAKE_SPLIT" in os.environ:
    print(json.dumps([{"slug": "warp_tile", "gemm": True, "small_size": "128", "whole_size": "128", "ragged_size": "127", "common_size": "128", "parameters": []},
                      {"slug": "split_k", "gemm": True, "small_size": "128", "whole_size": "128", "ragged_size": "127", "common_size": "128",
                       "parameters": [{"name": "SPLIT", "default": 4}]}]))
elif command == "bench" and "--shapes" in words:
    # Alternately half and twice as fast as cuBLAS; every fourth has rows of multiples of 16 bytes.
    rows = [{**benched("naive", f"64x64x{64 + i}", {"block": 32}), "of_cublas": 2.0 if i % 2 else 0.5, "of_best": 0.5}
            for i in range(int(after("--shapes")))]
    if "FAKE_WRONG" in os.environ:
        rows[0].update({"ok": False, "error": 1.0, "gflops": None, "of_cublas": None})
    print(json.dumps({"seed": int(after("--seed")), "rows": rows, "summary": [
        {"stage": "naive", "shapes": len(rows), "wrong": 0, "geometric_mean_of_cublas": 1.0, "aligned_shapes": 15,
         "aligned_geometric_mean_of_cublas": 0.5, "geometric_mean_of_best": 0.5,
         "least": [{"size": rows[0]["size"], "of_cublas": 0.5}]}]}))
elif command == "bench":
    sizes = [words[i + 1] for i, word in enumerate(words) if word == "--size"]
    split = int(after("--param", "SPLIT=4").removeprefix("SPLIT="))
    print(json.dumps([benched(stage, size, {**WARP_TILE, **({"SPLIT": split} if stage == "split_k" else {})})
                      for stage in words[:[word.startswith("--") for word in words].index(True)] for size in sizes]))
elif command == "info":
    print(json.dumps({"format": 1, "gpu": {"name": "fake GPU", "toolkit": "NVRTC 0", "compute_capability": 90,
                                           "sm_count": 132}}))
elif command == "stages" and "FAKE_WATCHED" in os.environ:
    print(json.dumps([{"slug": slug, "gemm": True, "small_size": "128", "whole_size": "128", "ragged_size": "127", "common_size": "128", "parameters": []}
                      for slug in ("coalesced", "shared_tile", "vectorized", "async_copy")]))
elif command == "stages":
    print(json.dumps([{"slug": "naive", "gemm": True, "small_size": "128", "whole_size": "128", "ragged_size": "127", "common_size": "128",
                       "parameters": [{"name": "block", "default": 32}]},
                      {"slug": "vector_add", "gemm": False, "small_size": "1000", "parameters": []}]))
elif command == "verify":
    pass
elif command == "counters":
    if "--per-instruction" in words and words[0] == "vector_add":
        sys.exit("gemmscope: instructions cannot be counted here")
    row = counted(words[0], after("--size"))
    if words[0].startswith("cublas"):
        row = {key: row[key] for key in row if key not in ("parameters", "readings")} | {"launches": 2}
    if words[0] == "vector_add":
        row["parameters"] = {}
    if "--per-instruction" in words:
        row["per_instruction"] = {"instructions": [], "readings": 1, "why_missing": "", "why_not_sampled": ""}
        row["counters"]["smsp__inst_executed.sum"] = 12
        row["run"] = {"source": 1, "names": ["LDG", "FFMA"], "address": [0, 1, 3], "name": [0, 1, 1], "line": [7, 8, 8],
                      "executed": [[3, 4]],
                      "samples": {"states": ["wait", "selected"], "cycles": 1024, "launches": 2, "taken": 14 if "FAKE_LOST_SAMPLES" in os.environ else 9, "dropped": 0,
                                  "elsewhere": 2, "at": [[0, 0, 5], [1, 1, 2]]}}
    print(json.dumps([row]))
elif command == "warps":
    stage, few = words[0], "--resident-warps" in words
    warp = {"block": 0, "warp": 0, "slot": 0, "begin": 0, "end": 90, "begin_ns": 0, "end_ns": 64, "after": 5,
            "steps": [0, 10, 4, 1, 70, 60]}
    resources = {"registers_per_thread": 32, "shared_bytes_per_block": 0, "local_bytes_per_thread": 0,
                 "blocks_per_sm": 1 if few else 4}
    print(json.dumps({"stage": stage, "parameters": {}, "size": after("--size"), "warps_per_block": 8, "sm": 0,
                      "extra_shared": 100000 if few else 0, "plain": resources, "probed": resources, "plain_ms": 0.02,
                      "probed_ms": 0.03, "kinds": [[0, 0, 70], [4, 0, 71]], "warps": [warp]}))
elif command == "tune":
    print(json.dumps({"stage": words[0], "size": after("--size"), "gpu": "fake GPU", "whole": True, "candidates": [
        {"parameters": {"BM": 128}, "state": "right", "gflops": 40000.0, "of_cublas": 0.8, "median_ms": 3.4,
         "error": 1e-7}]}))
else:
    sys.exit(f"gemmscope: the test asks for no {command}")
