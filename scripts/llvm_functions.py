#!/usr/bin/env python3
"""Prints the ten functions on which LLVM spent the most time, from the file that `-Zllvm-time-trace` writes.

Copies of a function for several types are counted together: text in angle brackets is removed from names.
"""

import collections
import json
import re
import subprocess
import sys

PASSES = {"PassManager<Function>", "OptFunction"}


def seconds_by_symbol(path):
    """CPU seconds by symbol; nested events are counted once."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    events = [event for event in events if event.get("ph") == "X" and event["name"] in PASSES]
    events.sort(key=lambda event: (event["tid"], event["ts"], -event["dur"]))
    seconds, end, thread = collections.Counter(), 0, None
    for event in events:
        if event["tid"] != thread:
            thread, end = event["tid"], 0
        if event["ts"] < end:
            continue
        end = event["ts"] + event["dur"]
        seconds[event.get("args", {}).get("detail", "?")] += event["dur"] / 1e6
    return seconds


def demangled(symbols):
    """Readable names, if c++filt is installed; otherwise the symbols."""
    try:
        done = subprocess.run(["c++filt"], input="\n".join(symbols), capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return symbols
    return done.stdout.split("\n")


def without_generics(name):
    """A path without the text in angle brackets; for code compiled for lanes, the name of the kernel."""
    name = re.sub(r"\[[0-9a-f]{12,}\]", "", name)
    inner = re.search(r"vectorize_\w+::<(.*)", name)
    name = inner.group(1) if inner else name
    # The driver of all kernels, and the code that runs a kernel on one pack, get the name of the kernel.
    for driver in (r"(?:run_wide|Width>::run|run_task)::<(?:[\w:]*(?:Avx2|Avx512|Neon), )?(.*)", r"OnePack<(.*)", r"OneWarpedPack<(.*)", r"OneBlockPack<(.*)"):
        found = re.search(driver, name)
        name = found.group(1) if found else name
    name = re.sub(r"^<+", "", name)
    while re.search(r"<[^<>]*>", name):
        name = re.sub(r"<[^<>]*>", "", name)
    return re.split(r"[<,>]", name)[0].replace("::::", "::").rstrip(":")


def main():
    """Prints the table."""
    seconds = seconds_by_symbol(sys.argv[1])
    sums, copies = collections.Counter(), collections.Counter()
    for name, value in zip(demangled(list(seconds)), seconds.values()):
        sums[without_generics(name)] += value
        copies[without_generics(name)] += 1
    print(f"{sum(sums.values()):8.1f}  seconds of LLVM in total, by function\n")
    for name, value in sums.most_common(10):
        print(f"{value:8.1f}  {copies[name]:4} copies  {name}")


main()
