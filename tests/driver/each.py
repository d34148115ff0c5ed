"""Runs the tests of a unittest module one after the other, and prints how each ended and its time, so that two machines
can be compared: python3 each.py MODULE [NAME ...]. A NAME picks the tests whose names hold it."""
import importlib
import sys
import time
import unittest


def flat(suite):
    for test in suite:
        yield from flat(test) if isinstance(test, unittest.TestSuite) else [test]


counts = {"ok": 0, "FAIL": 0, "skip": 0}
begin = time.time()
for test in flat(unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(sys.argv[1]))):
    if sys.argv[2:] and not any(name in test.id() for name in sys.argv[2:]):
        continue
    result, start = unittest.TestResult(), time.time()
    test.run(result)
    word = "skip" if result.skipped else "ok" if result.wasSuccessful() else "FAIL"
    counts[word] += 1
    last = [text.strip().splitlines()[-1][-200:] for _, text in result.failures + result.errors]
    print(f"{word:5} {time.time() - start:7.2f} {test.id().split('.')[-1]}", *last, flush=True)
print(counts, f"{time.time() - begin:.0f} s")
