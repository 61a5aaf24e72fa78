"""What buffers hold before and after a launch that a GPU runs: as the program itself prints it, and as without a GPU."""

import json
import struct
import sys

from common import ROOT, find_tool
from traced import PROGRAMS

# Program, array, how its values are printed, arrays that a recording without a GPU has, too.
FILES = [("values_in_place.cu", "numbers", ["numbers"]),
         ("values_reduction.cu", "sums", ["numbers", "sums", "negative"]),
         ("values_wrong.cu", "out", ["in", "out"])]
IN_POOL = """
import torch
numbers = torch.arange(1000, dtype=torch.float32, device="cuda")
larger = torch.ones(1 << 28, device="cuda")  # 1 GiB, so that not all of the memory is copied before the launch
numbers.mul_(0.5)
torch.cuda.synchronize()
"""
IN_GRAPH = """
import torch
numbers = torch.ones(1000, device="cuda")
torch.cuda.synchronize()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    numbers.mul_(0.5)
graph.replay()
torch.cuda.synchronize()
"""
# What kernels/injection/injected declares by itself, beside NVIDIA's header.
DECLARATIONS = """
#include "injection/injected/sanitizer_api.h"
#include <sanitizer.h>
using namespace injection;
#define SAME(OURS, THEIRS) static_assert(static_cast<long long>(OURS) == static_cast<long long>(THEIRS))
#define SAME_PLACE(OUR, MEMBER, THEIR, OTHER) SAME(offsetof(OUR, MEMBER), offsetof(THEIR, OTHER))
SAME(Domain::driver, SANITIZER_CB_DOMAIN_DRIVER_API);
SAME(Domain::resource, SANITIZER_CB_DOMAIN_RESOURCE);
SAME(Domain::launch, SANITIZER_CB_DOMAIN_LAUNCH);
SAME(Domain::graphs, SANITIZER_CB_DOMAIN_GRAPHS);
SAME(memory_allocated, SANITIZER_CBID_RESOURCE_DEVICE_MEMORY_ALLOC);
SAME(memory_freed, SANITIZER_CBID_RESOURCE_DEVICE_MEMORY_FREE);
SAME(host_memory_allocated, SANITIZER_CBID_RESOURCE_HOST_MEMORY_ALLOC);
SAME(host_memory_freed, SANITIZER_CBID_RESOURCE_HOST_MEMORY_FREE);
SAME(memory_allocated_async, SANITIZER_CBID_RESOURCE_MEMORY_ALLOC_ASYNC);
SAME(memory_freed_async, SANITIZER_CBID_RESOURCE_MEMORY_FREE_ASYNC);
SAME(memory_managed, SANITIZER_MEMORY_FLAG_MANAGED);
SAME(memory_of_peer, SANITIZER_MEMORY_FLAG_PEER);
SAME(memory_of_cooperative_groups, SANITIZER_MEMORY_FLAG_CG_RUNTIME);
SAME(memory_of_dynamic_parallelism, SANITIZER_MEMORY_FLAG_CNP);
SAME_PLACE(MemoryData, bytes, Sanitizer_ResourceMemoryData, size);
SAME_PLACE(MemoryData, device, Sanitizer_ResourceMemoryData, device);
SAME_PLACE(MemoryData, flags, Sanitizer_ResourceMemoryData, flags);
SAME_PLACE(CallData, ends, Sanitizer_CallbackData, callbackSite);
SAME_PLACE(CallData, function, Sanitizer_CallbackData, functionName);
SAME_PLACE(CallData, parameters, Sanitizer_CallbackData, functionParams);
SAME(1, SANITIZER_API_EXIT);
SAME_PLACE(LaunchData, launch, Sanitizer_LaunchData, hLaunch);
SAME_PLACE(LaunchData, device, Sanitizer_LaunchData, device);
"""


def declarations(machine, report):
    nvcc = find_tool("nvcc")
    toolkit = ROOT.__class__(nvcc).resolve().parent.parent if nvcc else None
    include = toolkit / "compute-sanitizer" / "include" if toolkit else None
    if not include or not include.is_dir():
        report.skip("values: declarations", f"there is no folder {include} with NVIDIA's headers")
        return
    source = machine.folder / "declarations.cpp"
    source.write_text(DECLARATIONS)
    result = machine.run(["g++", "-std=c++20", "-fsyntax-only", "-I", ROOT / "kernels", "-I", include, "-I", toolkit / "include", source])
    report.check("values: the declarations are those of NVIDIA's headers", result.status == 0, result.tail(20) if result.status else "")


def kept(machine, recording, array):
    """Rows of before and after, by place; an empty list where there are none. And what to say if they are not as expected."""
    info, result = machine.gemmscope_json("info", recording, "--values", array)
    if not info:
        return [], result.tail(4)
    return [(row["before"], row["after"]) for row in info["values"]], json.dumps(info["arrays"])


def differing(ours, others):
    """What the first difference is; empty if there is none."""
    if len(ours) != len(others):
        return f"{len(ours)} values, not {len(others)}"
    return next((f"number {i}: {a}, not {b}" for i, (a, b) in enumerate(zip(ours, others)) if a != b), "")


def described(machine, recording, trace):
    """All that helps to find out why values are missing."""
    info, result = machine.gemmscope_json("info", recording)
    arrays, _ = machine.gemmscope_json("info", recording, "--values", "all")
    notes = (info or {}).get("executed", {}).get("notes", result.tail(4))
    return f"\n      trace: {trace.tail(6)}\n      notes: {notes}\n      values: {json.dumps(arrays)[:1500]}"


def file(machine, report, name, printed, arrays):
    nvcc = find_tool("nvcc")
    program, source = machine.folder / name.removesuffix(".cu"), PROGRAMS / name
    built = machine.run([nvcc, "-o", program, source]) if nvcc else None
    if not built or built.status != 0:
        report.skip(f"values: {name}", "nvcc is missing or refuses it: " + (built.tail(3) if built else ""))
        return
    on_gpu, on_cpu = machine.keep(f"{name}-gpu.gscope"), machine.keep(f"{name}-cpu.gscope")
    ran = machine.gemmscope("trace", source, "-o", on_gpu)
    without = machine.gemmscope("trace", source, "--backend", "cpu", "-o", on_cpu)
    if not report.check(f"values: {name}: traced", ran.status == 0 and without.status == 0, ran.tail(4) + without.tail(4)
                        if ran.status or without.status else ""):
        return
    rows, said = kept(machine, on_gpu, printed)
    printout = [float(line) for line in machine.run([program]).output.split()]
    difference = differing([float(after) for _, after in rows], printout)
    report.check(f"values: {name}: {printed} after the launch is what the program prints", rows and not difference,
                 f"{len(rows)} values" if rows and not difference else difference + " " + said + described(machine, on_gpu, ran))
    for array in arrays:
        rows, said = kept(machine, on_gpu, array)
        others, _ = kept(machine, on_cpu, array)
        difference = differing(rows, others)
        report.check(f"values: {name}: {array} before and after, as without a GPU", rows and not difference,
                     f"{len(rows)} values" if rows and not difference else difference + " " + said)


def memory(machine, report):
    """A place in an allocation of 3 GiB, and memory that is not copied: managed, page-locked, stream-ordered, variables."""
    recording = machine.keep("values_memory.gscope")
    ran = machine.gemmscope("trace", PROGRAMS / "values_memory.cu", "-o", recording)
    if not report.check("values: memory: traced", ran.status == 0, ran.tail(6) if ran.status else ""):
        return
    rows, said = kept(machine, recording, "in_pool")
    difference = differing(rows[:64], [(0, 3 * (100 + i)) for i in range(64)])
    report.check("values: memory: a place in a pool", not difference,
                 f"{difference} {said}{described(machine, recording, ran)}" if difference else "")
    info, _ = machine.gemmscope_json("info", recording)
    notes = " ".join(info["executed"]["notes"]) if info else ""
    report.check("values: memory: what is not copied is named", "managed" in notes and "page-locked" in notes, notes)
    report.check("values: memory: a variable of the device, which is not copied, is named", "written" in notes, notes)


def in_torch(machine, report):
    """PyTorch's pool has many tensors in one allocation; of a graph there is no moment before the launch."""
    for name, text in (("pool", IN_POOL), ("graph", IN_GRAPH)):
        program, recording = machine.folder / f"{name}.py", machine.keep(f"values_{name}.gscope")
        program.write_text(text)
        if machine.run([sys.executable, program]).status != 0:
            report.skip(f"values: PyTorch's {name}", "the program does not run here")
            continue
        ran = machine.gemmscope("trace", "--kernel", "elementwise_kernel.*[Mm]ul", "-o", recording, "--", sys.executable, program)
        if not report.check(f"values: PyTorch's {name}: traced", ran.status == 0, ran.tail(6) if ran.status else ""):
            continue
        arrays, _ = machine.gemmscope_json("info", recording, "--values", "all")
        info, _ = machine.gemmscope_json("info", recording)
        if name == "graph":
            notes = " ".join(info["executed"]["notes"]) if info else ""
            report.check("values: a launch in a graph has none, and says why", not arrays and "CUDA graph" in notes, notes)
            continue
        found = False
        for one in (arrays or {}).get("arrays", []):
            rows, _ = kept(machine, recording, one["array"])
            floats = [tuple(struct.unpack("f", struct.pack("I", number % (1 << 32)))[0] for number in row) if
                      isinstance(row[0], int) and isinstance(row[1], int) else row for row in rows]
            found = found or floats[:1000] == [(float(i), i / 2) for i in range(1000)]
        report.check("values: PyTorch's pool: the tensor before and after", found, "" if found else described(machine, recording, ran))


def values(machine, report):
    if machine.run(["nvidia-smi"]).status != 0:
        report.skip("values", "there is no GPU")
        return
    declarations(machine, report)
    for row in FILES:
        file(machine, report, *row)
    memory(machine, report)
    in_torch(machine, report)
