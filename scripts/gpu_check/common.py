"""Functions for all sections of gpu-check: running the program, and reporting one line per check."""

import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROBES = ("none", "count", "record", "place")  # the forms of a kernel, kernels/device/probe.h
WORKERS = max(2, min(8, os.cpu_count() or 2))


class Report:
    """Collects and prints results; several threads may report at once."""

    def __init__(self):
        self._lock = threading.Lock()
        self.passed = self.failed = self.skipped = 0

    def check(self, name, ok, detail=""):
        with self._lock:
            self.passed += bool(ok)
            self.failed += not ok
            print(f"{'ok  ' if ok else 'FAIL'}  {name}{'  ' + detail if detail else ''}", flush=True)
        return ok

    def skip(self, name, reason):
        with self._lock:
            self.skipped += 1
            print(f"skip  {name}  {reason}", flush=True)


class Result:
    def __init__(self, status, output, errors):
        self.status, self.output, self.errors = status, output, errors

    def tail(self, lines=12):
        text = (self.output + self.errors).strip().splitlines()
        return "\n      ".join(text[-lines:])


class Machine:
    """The program under test on this machine, with a cubin cache of its own."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.program = os.environ.get("GEMMSCOPE", str(ROOT / "build" / "app" / "gemmscope"))
        self.cache = self.folder / "cache"
        self.environment = dict(os.environ, XDG_CACHE_HOME=str(self.cache))

    def run(self, command, timeout=300):
        try:
            done = subprocess.run([str(part) for part in command], capture_output=True, text=True, errors="replace",
                                  timeout=timeout, env=self.environment, check=False)
            return Result(done.returncode, done.stdout, done.stderr)
        except FileNotFoundError as missing:
            return Result(127, "", str(missing))
        except subprocess.TimeoutExpired as late:
            return Result(124, str(late.stdout or ""), f"gave no result within {timeout} s")

    def gemmscope(self, *arguments, timeout=300):
        return self.run([self.program, *arguments], timeout)

    def gemmscope_json(self, *arguments, timeout=300):
        """Returns the parsed output, or None, and the result."""
        result = self.gemmscope(*arguments, "--json", timeout=timeout)
        try:
            return json.loads(result.output), result
        except ValueError:
            return None, result

    def keep(self, name):
        """Returns the path for an output file: in $KEEP if that is set, otherwise in the temporary folder."""
        return pathlib.Path(os.environ.get("KEEP") or self.folder) / name

    def compile_everything(self, report, *stages):
        """Fills the cubin cache, so that the following commands need not compile the same kernels. `stages` limits it
        to these stages."""
        for probe in PROBES:
            result = self.gemmscope("verify", *stages, "--backend", "cuda", "--probe", probe, "--size", "32")
            if not report.check(f"compile: {' '.join(stages) or 'every stage'} with probe {probe}", result.status == 0,
                                "" if result.status == 0 else result.tail()):
                return False
        return True

    def stages(self):
        stages, result = self.gemmscope_json("stages")
        if not stages:
            raise SystemExit(f"gpu-check: {self.program} does not list its stages: {result.tail()}")
        return {stage["slug"]: stage for stage in stages}


def defaults(facts):
    """Returns arguments that set each parameter to its default. Without them some stages choose by the problem's
    size."""
    return [part for parameter in facts["parameters"]
            for part in ("--param", f"{parameter['name']}={parameter['default']}")]


def find_tool(name):
    """Returns the path of one of NVIDIA's tools, or None."""
    found = shutil.which(name)
    if found:
        return found
    folders = [pathlib.Path(home) / "bin" for home in (os.environ.get("CUDA_HOME"), "/usr/local/cuda") if home]
    folders += sorted(pathlib.Path("/opt/nvidia/nsight-compute").glob("*"), reverse=True)
    for folder in folders:
        if (folder / name).is_file():
            return str(folder / name)
    return None


def side_by_side(work, items):
    """Calls work(item) for all items, several at a time. The GPU alternates between the processes."""
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(work, items))


class Stopwatch:
    def __init__(self):
        self._start = time.monotonic()

    def seconds(self):
        return time.monotonic() - self._start
