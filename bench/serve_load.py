#!/usr/bin/env python3
"""bench/serve_load.py PROGRAM [--idle 40] [--playing 10] [--seconds 20]: measures 'gemmscope serve' with many visitors.

Prints rows of docs/browser.md: the time from a key to its picture, the frames per second of the visitors who play,
processor time, memory, bytes. The visitors of this script decode only the number of a frame. Their processor time is
printed, too."""
import argparse
import os
import pathlib
import resource
import statistics
import sys
import time

arguments = argparse.ArgumentParser()
arguments.add_argument("program", type=pathlib.Path)
arguments.add_argument("--idle", type=int, default=40)
arguments.add_argument("--playing", type=int, default=10)
arguments.add_argument("--seconds", type=float, default=20)
options = arguments.parse_args()
sys.argv[1:] = [str(options.program)]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/browser"))

from server import Server  # noqa: E402
from websocket import WebSocket  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")
PLACES = ["stage=vectorized view=flow", "stage=swizzled view=banks", "stage=naive view=tiling", "stage=shared_tile view=threads"]


def tree(process):
    """Returns the process and all its descendants, such as the worker."""
    found = [process]
    for one in found:
        for task in pathlib.Path(f"/proc/{one}/task").iterdir():
            found += [int(child) for child in (task / "children").read_text().split() if int(child) not in found]
    return found


def cpu_seconds(process):
    fields = [pathlib.Path(f"/proc/{one}/stat").read_text().rsplit(") ", 1)[1].split() for one in tree(process)]
    return sum(int(one[11]) + int(one[12]) for one in fields) / TICKS


def megabytes(process):
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


def own_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def press(visitor, key):
    for down in (True, False):
        visitor.send({"kind": "key", "key": key, "down": down})


def enter(place):
    visitor = WebSocket(server.link)
    visitor.hello(place)
    visitor.expect_frame(quiet=1)
    return visitor


def key_times(visitor, count=30):
    times = []
    for _ in range(count):
        start = time.monotonic()
        press(visitor, "ArrowRight")
        while not visitor.show(visitor.receive()):
            pass
        times.append(1000 * (time.monotonic() - start))
        visitor.settle(quiet=0.3, seconds=3)
    return times


def play(visitors, seconds):
    """Receives frames and confirms each at once. Returns how many each visitor received."""
    frames = [0] * len(visitors)
    end = time.monotonic() + seconds
    while True:
        for number, visitor in enumerate(visitors):
            while visitor.has_input():
                frames[number] += visitor.show(visitor.receive())
        if time.monotonic() >= end:
            return frames
        time.sleep(0.001)


server = Server("--visitors", str(options.idle + options.playing + 1))
process = server.process.pid
first = enter(PLACES[0])
first_bytes = first.bytes
alone = megabytes(process)
print(f"the first picture: {first_bytes / 1024:.0f} KB; the server with one visitor: {alone:.0f} MB")
times = key_times(first)
print(f"from a key to its picture, alone: {statistics.median(times):.0f} ms in the median, {max(times):.0f} ms at most")
others = []
for number in range(options.idle + options.playing):
    others.append(enter(PLACES[number % len(PLACES)]))
    play([first, *others], 0)  # answers the server, which disconnects silent visitors
print(f"{len(others)} more visitors: {(megabytes(process) - alone) / len(others):.1f} MB each")
idle, playing = others[:options.idle], others[options.idle:]
play([first, *others], 2)
before, sent = cpu_seconds(process), [one.bytes for one in others]
time.sleep(options.seconds)
frames = sum(one.show(one.receive()) for one in others if one.has_input())
print(f"{len(others) + 1} idle for {options.seconds:.0f} s: {frames} frames, {sum(one.bytes for one in others) - sum(sent)} bytes, "
      f"{100 * (cpu_seconds(process) - before) / options.seconds / (len(others) + 1):.3f} % of a core each")
for one in playing:
    press(one, " ")
before, own, sent = cpu_seconds(process), own_seconds(), sum(one.bytes for one in playing)
rates = [count / options.seconds for count in play(playing + idle, options.seconds)[:len(playing)]]
cores = (cpu_seconds(process) - before) / options.seconds
print(f"{len(idle)} idle and {len(playing)} playing: {statistics.median(rates):.1f} frames a second each in the median, {min(rates):.1f} "
      f"at least, with {cores:.2f} cores and {(sum(one.bytes for one in playing) - sent) / sum(rates) / options.seconds / 1024:.1f} KB a "
      f"frame; these visitors took {(own_seconds() - own) / options.seconds:.2f} cores")
sys.exit(server.stop())
