"""Compares the machine code of `vectorized` and of the same kernel written by hand, using NVIDIA's disassembler.

tests/kernels/machine_code/nvrtc_test.cpp checks the same with gemmscope's own decoder; here the two decoders check each other."""

import collections
import re

from common import ROOT, find_tool

# The cache's file format: kernels/cuda/compiler.cpp
MAGIC = b"gemmscope cubin 2\n"


def cached_cubin(cache, wanted):
    """Returns the cubin whose kernel has a lowered name that contains all of `wanted`."""
    for path in sorted(cache.rglob("*.cubin")):
        data = path.read_bytes()
        if not data.startswith(MAGIC):
            continue
        _, name, log_size, image_size, _, rest = data[len(MAGIC):].split(b"\n", 5)
        if all(part in name.decode() for part in wanted):
            image = rest[int(log_size):int(log_size) + int(image_size)]
            return image if len(image) == int(image_size) else None
    return None


def instruction_counts(disassembly):
    counts = collections.Counter()
    for line in disassembly.splitlines():
        found = re.search(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\d+\s+)?([A-Z][A-Z0-9_.]*)", line)
        if not found:
            continue
        name, *modifiers = found.group(1).split(".")
        if name in ("LDG", "STG", "LDS", "STS", "LDL", "STL"):
            width = next((modifier for modifier in modifiers if modifier in ("64", "128")), "32")
            counts[f"{name}.{width}"] += 1
        elif name in ("FFMA", "FMUL", "FADD"):
            counts[name] += 1
    return counts


def own_decoder(machine, report):
    """Compares names, predicates and widths of memory accesses from gemmscope's decoder and NVIDIA's disassembler."""
    for stage in machine.stages():
        code, result = machine.gemmscope_json("code", stage)
        name = f"instructions: {stage} as nvdisasm reads them"
        if not code or not code["disassembler"]:
            report.check(name, False, result.tail() if not code else "nvdisasm gave no text")
            continue
        checked, wrong = 0, []
        for instruction in (one for kernel in code["kernels"] for one in kernel["instructions"]):
            found = re.match(r"(@!?U?P\d+ )?([A-Z][A-Z0-9_.]*)", instruction.get("text", ""))
            if not found or not instruction.get("bytes_per_lane"):
                continue
            own, theirs = instruction["name"].split("."), found.group(2).split(".")
            same = (own[0] == theirs[0] and all(part in theirs for part in own[1:])
                    and instruction["predicate"] == (found.group(1) or "").strip())
            checked += 1
            if not same:
                wrong.append(f"{instruction['predicate']} {instruction['name']} / {instruction['text']}")
        report.check(name, checked > 0 and not wrong, f"{checked} accesses" if not wrong else "; ".join(wrong[:5]))


def instructions(machine, report):
    name = "instructions: vectorized with views = written by hand"
    nvdisasm, nvcc = find_tool("nvdisasm"), find_tool("nvcc")
    if not nvdisasm or not nvcc:
        report.skip(name, f"{'nvdisasm' if not nvdisasm else 'nvcc'} is not installed")
        return
    own_decoder(machine, report)
    machine.gemmscope("verify", "vectorized", "--backend", "cuda", "--size", "32")
    image = cached_cubin(machine.cache, ("10vectorized10vectorized", "NoProbe"))
    if image is None:
        report.check(name, False, "no cubin of vectorized was found in the cache")
        return
    architecture = machine.run(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"]).output.split()
    views, hand = machine.folder / "views.cubin", machine.folder / "hand.cubin"
    views.write_bytes(image)
    compiled = machine.run([nvcc, "-cubin", "-std=c++20", "-lineinfo", f"-arch=sm_{architecture[0].replace('.', '')}",
                            "-o", hand, ROOT / "tests" / "gpu" / "vectorized_by_hand.cu"])
    if compiled.status != 0:
        report.check(name, False, compiled.tail())
        return
    counts = [instruction_counts(machine.run([nvdisasm, "-c", file]).output) for file in (views, hand)]
    same = counts[0] == counts[1] and counts[0]["LDS.128"] >= 32
    shown = ", ".join(f"{key} {value}" for key, value in sorted(counts[0].items()))
    report.check(name, same, shown if same else f"views: {dict(counts[0])}, by hand: {dict(counts[1])}")
