# SPDX-License-Identifier: BSL-1.0
"""What groups.py and experts.py share: samples between events, in one process with PyTorch, and the results' file."""

import argparse
import ctypes
import json
import pathlib
import re
import statistics
import sys
import time


class Library:
    """The calls of a shared library, each of which takes a stream and 256 characters for a message last."""

    def __init__(self, torch, path):
        self.torch, self.calls = torch, ctypes.CDLL(str(path.resolve()))
        self.message = ctypes.create_string_buffer(256)

    def __call__(self, name, *arguments):
        """Pointers of tensors, numbers as int64, other arguments as they are."""
        def passed(x):
            return (ctypes.c_void_p(x.data_ptr()) if isinstance(x, self.torch.Tensor) else
                    ctypes.c_int64(x) if isinstance(x, int) else x)
        stream = ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream)
        if getattr(self.calls, name)(*map(passed, arguments), stream, self.message) != 0:
            raise RuntimeError(self.message.value.decode())

    def number(self, name, *numbers):
        function = getattr(self.calls, name)
        function.restype = ctypes.c_int64
        return function(*map(ctypes.c_int64, numbers))

    def text(self, name, *numbers):
        function = getattr(self.calls, name)
        function.restype = ctypes.c_char_p
        return function(*map(ctypes.c_int64, numbers)).decode()


def sample(torch, call, launches):
    """Seconds of one of so many launches."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for _ in range(launches):
        call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) * 1e-3 / launches


def medians(torch, calls, budget, seconds_of_sample, most_launches):
    """Seconds of each call: medians of interleaved samples of about so long."""
    launches, seconds = {}, {name: [] for name in calls}
    for name, call in calls.items():
        sample(torch, call, 2)
        launches[name] = max(1, min(most_launches, round(seconds_of_sample / sample(torch, call, 2))))
    stop, fewest = time.monotonic() + budget, 3
    while len(next(iter(seconds.values()))) < fewest or time.monotonic() < stop:
        for name, call in calls.items():
            seconds[name].append(sample(torch, call, launches[name]))
    return {name: statistics.median(values) for name, values in seconds.items()}


def arguments(description, budget, what):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="", help=f"{what} whose name it matches")
    parser.add_argument("--budget", type=float, default=budget, help=f"seconds for each of the {what}")
    return parser


def run(options, cases, make_measure):
    """Measures cases, which have a name, and writes the results: measure(*case) has a row and what is printed of it.
    Exits with 0 and a sentence where there is no PyTorch, or no GPU; with 1 where a case has failed.
    """
    script = pathlib.Path(sys.argv[0]).name
    try:
        import torch
    except ImportError:
        print(f"{script}: there is no PyTorch", file=sys.stderr)
        return 0
    if not torch.cuda.is_available():
        print(f"{script}: there is no GPU", file=sys.stderr)
        return 0
    torch.manual_seed(7)
    measure, results, failed = make_measure(torch, Library(torch, options.library)), [], 0
    for case in cases:
        name = " ".join(map(str, case))
        if not re.search(options.only, name):
            continue
        try:
            row, text = measure(*case)
            print(f"{name}: {text}")
        except (RuntimeError, torch.cuda.OutOfMemoryError) as reason:
            row, failed = {"problem": name, "error": str(reason)}, failed + 1
            print(f"{name}: {reason}", file=sys.stderr)
        results.append(row)
        torch.cuda.empty_cache()
    context = {"gpu": torch.cuda.get_device_name(), "torch": torch.__version__, "cuda": torch.version.cuda,
               "date": time.strftime("%Y-%m-%d")}
    options.out.write_text(json.dumps({"context": context, "results": results}, indent=1) + "\n")
    return 1 if failed else 0
