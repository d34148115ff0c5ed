#!/usr/bin/env python3
"""Counts how many launches the rules of docs/model.md and simpler alternatives get wrong, on the launches they were
found with. tests/unit/silicon/models.c checks the model itself on all launches."""
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))


def launches(family):
    """Yields (operation, bytes a lane, {lane: address} of the active lanes, the two counters)."""
    for line in open(os.path.join(HERE, family + ".txt")):
        if line.startswith("#"):
            continue
        left, right = line.split(" : ")
        operation, width, mask, *words = left.split()
        elements = []
        for word in words:
            start, sign, step, count = re.fullmatch(r"(\d+)(?:([+-])(\d+)\*(\d+))?", word).groups()
            step = int(step or 0) * (-1 if sign == "-" else 1)
            elements += [int(start) + step * at for at in range(int(count or 1))]
        active = {lane: elements[lane] * int(width) for lane in range(32) if int(mask, 16) >> lane & 1}
        yield operation, int(width), active, [int(word) for word in right.split()]


def wide_load(width, lanes, distances, apart=False):
    """Returns the wavefronts of a load of 8 or 16 bytes. Groups merge when lanes coincide at one of the distances,
    judged for the whole warp, or for each half of it separately."""
    size = 128 // width

    def merges(part):
        return any(all(lane ^ distance not in lanes or lanes[lane ^ distance] == lanes[lane] for lane in part)
                   for distance in distances)

    groups = []
    for first in range(0, 32, 16 if apart and width == 16 else 32):
        part = range(first, first + (16 if apart and width == 16 else 32))
        step = 2 * size if merges([lane for lane in part if lane in lanes]) else size
        groups += [[lane for lane in range(at, at + step) if lane in lanes] for at in range(part[0], part[-1] + 1, step)]
    passes = 0
    for group in groups:
        words = {lanes[lane] // 4 + at for lane in group for at in range(width // 4)}
        passes += max(sum(word % 32 == bank for word in words) for bank in range(32))
    return passes


def way(line):
    return bin(line & 0x7AB5).count("1") % 2 + 2 * (bin(line & 0x1D5DA).count("1") % 2)


def sectors(lanes, served, part=lambda address: 0):
    """Returns sectors, each counted once per pass. served: which of the waiting lanes (in order) a pass serves."""
    count = 0
    for key in {part(address) for address in lanes.values()}:
        waiting = [lane for lane in sorted(lanes) if part(lanes[lane]) == key]
        while waiting:
            now = served(waiting, lanes)
            count += len({lanes[lane] // 32 for lane in now})
            waiting = [lane for lane in waiting if lane not in now]
    return count


def first_of_each(key):
    def served(waiting, lanes):
        seen = {}
        for lane in waiting:
            seen.setdefault(key(lanes[lane]), lane)
        return set(seen.values())
    return served


def lines(most, reach=128):
    """Serves the first lane at each place, on one of the first lines with waiting lanes."""
    def served(waiting, lanes):
        open_lines = list(dict.fromkeys(lanes[lane] // reach for lane in waiting))[:most]
        return {lane for lane in first_of_each(lambda address: address % 128)(waiting, lanes)
                if lanes[lane] // reach in open_lines}
    return served


def wrong(families, counter, rule):
    """Returns how many launches are wrong, and their total. counter: which of the two counters is compared."""
    all_launches = [launch for family in families for launch in launches(family)]
    return sum(rule(*launch[:3]) != launch[3][counter] for launch in all_launches), len(all_launches)


def main():
    merges = ["shared_merges"]
    for name, distances, apart in (("lane ^ 1 or lane ^ 2, the rule", (1, 2), False), ("only ^ 1", (1,), False),
                                   ("only ^ 2", (2,), False), ("also ^ 4", (1, 2, 4), False),
                                   ("also ^ 8 and ^ 16", (1, 2, 4, 8, 16), False),
                                   ("half warps of 16 bytes by themselves", (1, 2), True), ("no sharing", (), False)):
        print("wide loads, %s: %d of %d wrong" %
              ((name,) + wrong(merges, 0, lambda _, width, lanes: wide_load(width, lanes, distances, apart))))

    atomics = ["global_atomics", "global_scattered"]

    def rule(served, part=lambda address: 0, half=None):
        return lambda operation, _, lanes: sectors(lanes, half if half and ".cas" in operation else served, part)

    print("global atomics, four ways, the rule: %d of %d wrong" %
          wrong(atomics, 1, rule(lines(1), lambda address: way(address // 128), lines(1, 64))))
    print("global atomics, turns at an address: %d of %d wrong" % wrong(atomics, 1, rule(first_of_each(lambda a: a))))
    print("global atomics, passes by place: %d of %d wrong" % wrong(atomics, 1, rule(first_of_each(lambda a: a % 128))))
    for most in range(1, 9):
        print("global atomics, %d lines a pass without ways: %d of %d wrong" %
              ((most,) + wrong(atomics, 1, rule(lines(most)))))


if __name__ == "__main__":
    main()
