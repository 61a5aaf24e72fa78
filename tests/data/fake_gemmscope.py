#!/usr/bin/env python3
"""Answers scripts/make-assets as gemmscope does on a machine with a GPU; the figures are made up."""
import json
import sys

command, words = sys.argv[1], sys.argv[2:]


def after(name, otherwise=None):
    return words[words.index(name) + 1] if name in words else otherwise


def counted(stage, size):
    return {"stage": stage, "parameters": {"block": 32}, "size": size, "alpha": 1.0, "beta": 0.0, "device": "fake GPU",
            "toolkit": "NVRTC 0", "max_threads_per_sm": 2048, "launches": 1, "passes": 9, "registers_per_thread": 32,
            "counters": {"dram__bytes_read.sum": 7}, "compared": [], "origins": {}, "why_not_executed": "", "ok": True,
            "only_counted": {"l1_hit_rate": 0.5, "l2_hit_rate": None, "dram_read_bytes": 7, "dram_write_bytes": 0,
                             "achieved_occupancy": 0.5, "ipc": 1.0, "time_ns": 1000}}


if command == "stages":
    print(json.dumps([{"slug": "naive", "gemm": True, "small_size": "128",
                       "parameters": [{"name": "block", "default": 32}]},
                      {"slug": "vector_add", "gemm": False, "small_size": "1000", "parameters": []}]))
elif command == "verify":
    pass
elif command == "counters":
    if "--per-instruction" in words and words[0] == "vector_add":
        sys.exit("gemmscope: instructions cannot be counted here")
    row = counted(words[0], after("--size"))
    if words[0] == "vector_add":
        row["parameters"] = {}
    print(json.dumps([row]))
elif command == "tune":
    print(json.dumps({"stage": words[0], "size": after("--size"), "gpu": "fake GPU", "whole": True, "candidates": [
        {"parameters": {"BM": 128}, "state": "right", "gflops": 40000.0, "of_cublas": 0.8, "median_ms": 3.4,
         "error": 1e-7}]}))
else:
    sys.exit(f"gemmscope: the test asks for no {command}")
