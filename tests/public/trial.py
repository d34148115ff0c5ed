#!/usr/bin/env python3
"""Build and run public CUDA programs with Lanescope, and compare them with their own verdict and a GPU's output.

usage: trial.py LANESCOPE PROGRAMS RESULTS [--gpu FOLDER] [--only REGEX] [--jobs N] [--seconds N] [--again STATES]

PROGRAMS has one JSON object a line: suite, name, cwd, sources, flags, libs, args. The folder of --gpu has NAME.out, the
standard output on a GPU, and results.jsonl (key, state, rc), with NAME = key = the first 12 hexadecimal digits of the
SHA-1 of suite + name. RESULTS gets one JSON object a program; a program that is in it is not run again unless its
state is one of --again.

States: verdict   the program's own check says that the result is right
        same      the output is the GPU's; figures of time, speed and device are not compared
        times     it ends as on the GPU, but prints nothing that can be compared
        differs, fails (exit status other than the GPU's), too long, not built
"""
import argparse
import concurrent.futures
import functools
import hashlib
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

# A line with such a word has figures that differ from run to run or from GPU to GPU.
VARIES = re.compile(r'time|\b[mun]?s(ec(onds?)?)?\b|[GM]i?B/s|FLOP|speed|elapsed|bandwidth|throughput|perf|device|gpu'
                    r'|[GM]Hz|clock|cycles|driver|capability|\bSMs?\b|multiproc|latency|per second', re.I)
GOOD = re.compile(r'\b(pass(ed|es)?|success(ful|fully)?|correct|ok|match(es|ed)?|verified)\b'
                  r'|threshold of [0-9.]+ percent: 0$', re.I | re.M)
BAD = re.compile(r'\b(fail(ed|ure|s)?|mismatch(es|ed)?|incorrect|wrong|not correct|not match|error)', re.I)
NONE_BAD = re.compile(r'\b(no|0|zero)\s+(\w+\s+)?(mismatch\w*|errors?|fail\w*)|(mismatch\w*|errors?|fail\w*)\s*[:=]\s*0\b'
                      r'|error threshold of [0-9.]+ percent: 0$', re.I | re.M)
NUMBER = re.compile(r'^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$', re.I)


def words(line):
    return re.split(r'[\s,;()=:\[\]]+', line.strip())


def equal_words(a, b):
    if a == b:
        return True
    if not (NUMBER.match(a) and NUMBER.match(b)):
        return False
    return abs(float(a) - float(b)) <= 1e-3 * max(abs(float(a)), abs(float(b)), 1e-6)


def compared(text):
    return [line for line in text.splitlines() if line.strip() and not VARIES.search(line)]


def equal_lines(a, b):
    a, b = words(a), words(b)
    return len(a) == len(b) and all(map(equal_words, a, b))


def whole(text):
    return sorted(line.strip() for line in text.splitlines())


def same(ours, gpu):
    """Blocks print in no order of their own, so the same lines in another order are the same output."""
    ours, gpu = compared(ours), compared(gpu)
    if len(ours) != len(gpu):
        return False
    return all(map(equal_lines, ours, gpu)) or all(map(equal_lines, sorted(ours), sorted(gpu)))


def verdict(text):
    return bool(GOOD.search(text) and not BAD.search(NONE_BAD.sub('', text)))


def state_of(run, gpu, gpu_output):
    if run['end'] == 'too long':
        return 'too long'
    wanted = gpu.get('rc', 0) if gpu.get('state') == 'ran' else 0
    if run['end'] != 'exited' or run['status'] != wanted:
        return 'fails'
    if gpu_output and whole(run['output']) == whole(gpu_output):
        return 'same'
    if gpu_output is not None and compared(gpu_output) and same(run['output'], gpu_output):
        return 'same'
    if verdict(run['output']):
        return 'verdict'
    if gpu_output is not None and same(run['output'], gpu_output):
        return 'times'
    return 'differs'


def findings(report):
    """The faults and hazards of the launches, from the report of --json."""
    return [dict(found, kernel=launch.get('kernel')) for launch in report.get('launches', [])
            for found in (launch.get('faults') or []) + (launch.get('hazards') or [])]


def trial(options, program, gpu):
    if options.small:
        program = dict(program, args=program['small'])
    key = hashlib.sha1((program['suite'] + program['name']).encode()).hexdigest()[:12]
    gpu = gpu.get(key, {})
    result = dict(key=key, suite=program['suite'], name=program['name'], args=program['args'], gpu=gpu.get('state'), gpu_rc=gpu.get('rc'))
    output = os.path.join(options.gpu or '', key + '.out')
    gpu_output = open(output, errors='replace').read() if gpu.get('state') == 'ran' and os.path.exists(output) else None
    flags = program['flags'] if any(f.startswith('-std') for f in program['flags']) else program['flags'] + ['-std=c++17']
    flags = flags + ['-l' + l for l in program['libs'] if l not in ('cudart', 'stdc++')]
    with tempfile.TemporaryDirectory() as folder:
        exe = os.path.join(options.keep or folder, key)
        build = None if options.keep and os.path.exists(exe) else subprocess.run([options.lanescope, 'build', '-o', exe, *program['sources'], '--', *flags],
                               cwd=program['cwd'], capture_output=True, text=True, errors='replace')
        if build and build.returncode:
            return dict(result, state='not built', why=(build.stderr + build.stdout)[:1500])
        if options.build:
            return dict(result, state='built')
        began = time.time()
        limit = functools.partial(resource.setrlimit, resource.RLIMIT_CPU, (options.seconds, options.seconds))
        command = [options.lanescope, 'exec', exe, '--json', '--seconds', str(20 * options.seconds)]
        if options.check:
            command += ['--check', options.check]
        done = subprocess.run([*command, '--', *program['args']], cwd=program['cwd'], capture_output=True,
                              stdin=subprocess.DEVNULL, preexec_fn=limit)
    result['seconds'] = round(time.time() - began, 1)
    try:
        report = json.loads(done.stdout.decode(errors='replace'), strict=False)
    except ValueError:
        return dict(result, state='fails', why=(done.stderr.decode(errors='replace') or 'no report')[:1500])
    run = dict(end=report['end'], status=report['status'], output=report['output'])
    if report['end'] not in ('exited', 'signal') or report.get('signal') in (9, 24, 'SIGKILL', 'SIGXCPU'):
        run['end'] = 'too long'
    result.update(end=report['end'], status=report['status'], signal=report.get('signal'), output=report['output'][-1500:],
                  errors=report['errors'][-1500:], said=done.stderr.decode(errors='replace')[-800:],
                  findings=findings(report)[:20], state=state_of(run, gpu, gpu_output))
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('lanescope', 'programs', 'results'):
        parser.add_argument(name)
    parser.add_argument('--gpu')
    parser.add_argument('--only', default='')
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--seconds', type=int, default=60, help='processor time of a run')
    parser.add_argument('--again', default='')
    parser.add_argument('--check', help="what to look for in each launch, as in lanescope exec")
    parser.add_argument('--small', action='store_true', help='with the arguments "small" of the programs that have them')
    parser.add_argument('--keep', help='folder for the built programs')
    parser.add_argument('--build', action='store_true', help='build only')
    options = parser.parse_args()
    done, gpu = {}, {}
    if os.path.exists(options.results):
        done = {r['key']: r for r in map(json.loads, open(options.results))}
    if options.gpu:
        gpu = {r['key']: r for r in map(json.loads, open(os.path.join(options.gpu, 'results.jsonl')))}
    again = options.again.split(',')
    programs = [p for p in map(json.loads, open(options.programs)) if re.search(options.only, p['suite'] + '/' + p['name'])]
    programs = [p for p in programs if done.get(hashlib.sha1((p['suite'] + p['name']).encode()).hexdigest()[:12],
                                                dict(state=again[0]))['state'] in again]
    programs = [p for p in programs if not options.small or p.get('small')]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, open(options.results, 'a') as file:
        for future in concurrent.futures.as_completed([pool.submit(trial, options, p, gpu) for p in programs]):
            result = future.result()
            print(f"{result['state']:9} {result.get('seconds', 0):6} s  {result['suite']}/{result['name']}", flush=True)
            file.write(json.dumps(result) + '\n')
            file.flush()
    return 0


if __name__ == '__main__':
    sys.exit(main())
