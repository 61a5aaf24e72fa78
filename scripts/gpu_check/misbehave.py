"""Runs kernels that fault, never end, overflow the stack, trap or need too much: each gives a sentence, and the next
task works."""

import os
import pathlib
import re


def misbehave(machine, report):
    tests = os.environ.get("TESTS", "build/tests/cpu_tests")
    if not pathlib.Path(tests).is_file():
        report.skip("misbehave", f"there is no {tests}; build the tests, or set TESTS")
        return
    result = machine.run([tests, "--gtest_filter=Misbehaving*"])
    for line in result.output.splitlines():
        if told := re.match(r"(\d): ([\d.]+) s: (.*)", line):
            print(f"----  misbehave {told[1]}: {told[2]} s: {told[3]}", flush=True)
    if "SKIPPED" in result.output:
        report.skip("misbehave", result.tail())
    else:
        report.check("misbehave", result.status == 0, "" if result.status == 0 else result.tail())
