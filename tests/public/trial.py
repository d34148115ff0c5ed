#!/usr/bin/env python3
"""Build and run public CUDA programs with Lanescope, and compare them with their own verdict and a GPU's output.

usage: trial.py LANESCOPE PROGRAMS RESULTS [--sizes FILE] [--gpu FOLDER] [--only REGEX] [--jobs N] [--seconds N]
                [--cores N]
       trial.py nvcc PROGRAMS FOLDER [--sizes FILE] ...      on a machine with a GPU: writes the folder for --gpu

PROGRAMS has one JSON object a line: suite, name, cwd, sources, flags, libs, args. The key of a program is the first 12
hexadecimal digits of the SHA-1 of suite + name. The folder of --gpu has KEY.out, the standard output on a GPU, and
results.jsonl (key, state, rc). RESULTS gets one JSON object a program; a program that is in it is not run again unless
its state is one of --again. --sizes names smaller sizes of programs (see sizes.txt, which says how).

States: verdict   the program's own check says that the result is right
        same      the output is the GPU's; figures of time, speed and device are not compared
        times     it ends as on the GPU, but prints nothing that can be compared
        differs, fails (exit status other than the GPU's), too long, not built
        ends      with --ends: with status 0
"""
import argparse
import concurrent.futures
import functools
import hashlib
import json
import os
import queue
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

# A line with such a word has figures that differ from run to run or from GPU to GPU.
VARIES = re.compile(r'time|\b[mun]?s(ec(onds?)?)?\b|[GM]i?B/s|FLOP|speed|elapsed|bandwidth|throughput|perf|device|gpu'
                    r'|[GM]Hz|clock|cycles|driver|capability|\bSMs?\b|multiproc|latency|per second'
                    r'|(?<![\w.])\d+\.?\d*(e[-+]?\d+)?[munµ]?s\b', re.I)  # "7.0ms"
GOOD = re.compile(r'\b(pass(ed|es)?|success(ful|fully)?|correct|ok|match(es|ed)?|verified)\b'
                  r'|threshold of [0-9.]+ percent: 0$', re.I | re.M)
BAD = re.compile(r'\b(fail(ed|ure|s)?|mismatch(es|ed)?|incorrect|wrong|not correct|not match|error)', re.I)
NONE_BAD = re.compile(r'\b(no|0|zero)\s+(\w+\s+)?(mismatch\w*|errors?|fail\w*)|(mismatch\w*|errors?|fail\w*)\s*[:=]\s*0\b'
                      r'|error threshold of [0-9.]+ percent: 0$', re.I | re.M)
MEASURE = re.compile(r'\b(max|maximum|absolute|relative|average|avg|mean|rms)(imum)?\s+(\w+\s+)?errors?\s*[:=]?\s*[-+0-9.e]+', re.I)
RESULT = re.compile('Non-Matching')  # of PolyBench, between "CPU" and "GPU"
DECIMAL = re.compile(r'[-+]?\d*\.\d+(e[-+]?\d+)?', re.I)
DATE = re.compile(r'\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}$')
NUMBER = re.compile(r'^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$', re.I)

OPTIMISED = '-O2'  # host code, with both compilers; a program's own flags come later and win


def words(line):
    return re.split(r'[\s,;()=:\[\]]+', line.strip())


def equal_words(a, b):
    if a == b:
        return True
    if not (NUMBER.match(a) and NUMBER.match(b)):
        return False
    return abs(float(a) - float(b)) <= 1e-3 * max(abs(float(a)), abs(float(b)), 1e-6)


def compared(text):
    """The lines without figures that vary. A header without a figure ("Time in seconds:", "Bandwidth (GB/s)") names what
    stands below it: until the next empty line, figures with a decimal point are left out."""
    lines, below = [], False
    for line in text.splitlines():
        if not line.strip():
            below = False
        elif VARIES.search(line) and not RESULT.search(line):
            below = not DECIMAL.search(line)
        elif DATE.match(line.strip()) or (below and NUMBER.match(line.strip())):
            continue
        else:
            lines.append(DECIMAL.sub('#', line) if below else line)
    return lines


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
    return bool(GOOD.search(text) and not BAD.search(MEASURE.sub('', NONE_BAD.sub('', text))))


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


def key_of(program):
    return hashlib.sha1((program['suite'] + program['name']).encode()).hexdigest()[:12]


def read_sizes(path):
    lines = [line.strip() for line in open(path) if line.strip() and not line.startswith('#')] if path else []
    return {line.split(' | ')[0]: [change.split(' ', 1) for change in line.split(' | ')[1:]] for line in lines}


def resized(program, changes):
    """The program in its smaller size: a sed expression is applied in a copy of the program's folder beside it."""
    program = dict(program, key=key_of(program), size='smaller' if changes else 'published')
    if any(kind == 'sed' for kind, _ in changes):
        folder = program['cwd'] + '.' + program['key']
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(program['cwd'], folder)
        program['cwd'] = folder
    for kind, text in changes:
        if kind == 'args':
            program['args'] = shlex.split(text)
        elif kind == 'flags':
            program['flags'] = program['flags'] + shlex.split(text)
        else:
            name, expression = text.split(' ', 1)
            path = os.path.join(program['cwd'], name)
            before = open(path, 'rb').read()
            subprocess.run(['sed', '-i', '-e', expression, path], check=True)
            if open(path, 'rb').read() == before:
                raise ValueError(f"{program['name']}: '{expression}' changes nothing in {name}")
    if not any(flag.startswith('-std') for flag in program['flags']):
        program['flags'] = program['flags'] + ['-std=c++17']
    program['flags'] = program['flags'] + ['-l' + lib for lib in program['libs'] if lib not in ('cudart', 'stdc++')]
    return program


def trial_on_gpu(options, program):
    """What nvcc's build of a program does on this machine's GPU."""
    result = dict(key=program['key'], suite=program['suite'], name=program['name'], args=program['args'], size=program['size'])
    exe = os.path.join(options.keep, program['key'])
    # CUDA 13 has no cudaThreadSynchronize; older programs call it.
    command = ['nvcc', OPTIMISED, '-arch=sm_90', '-lineinfo', '-w', '-DcudaThreadSynchronize=cudaDeviceSynchronize', '-o', exe,
               *program['flags'], *program['sources']]
    build = subprocess.run(command, cwd=program['cwd'], capture_output=True, text=True, errors='replace')
    if build.returncode:
        return dict(result, state='build fails', why=build.stderr[:1500])
    began = time.time()
    try:
        done = subprocess.run([exe, *program['args']], cwd=program['cwd'], capture_output=True, stdin=subprocess.DEVNULL,
                              timeout=options.seconds)
    except subprocess.TimeoutExpired:
        return dict(result, state='too long')
    for ending, text in (('out', done.stdout[:1 << 20]), ('err', done.stderr[:8192])):
        with open(os.path.join(options.results, f"{program['key']}.{ending}"), 'wb') as file:
            file.write(text)
    return dict(result, state='ran', rc=done.returncode, seconds=round(time.time() - began, 2))


def limit_run(seconds, processors):
    """In the child: so much processor time, and only these processors if any are given."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    if processors:
        os.sched_setaffinity(0, processors)


def trial(options, program, gpu):
    key = program['key']
    result = dict(key=key, suite=program['suite'], name=program['name'], args=program['args'], size=program['size'],
                  gpu=gpu.get('state'), gpu_rc=gpu.get('rc'))
    output = os.path.join(options.gpu or '', key + '.out')
    gpu_output = None
    if gpu.get('state') == 'ran' and os.path.exists(output):
        gpu_output = without_path(open(output, errors='replace').read(), key)
    with tempfile.TemporaryDirectory() as folder:
        exe = os.path.join(options.keep or folder, key)
        if not (options.keep and os.path.exists(exe)):
            build = subprocess.run([options.lanescope, 'build', '-o', exe, *program['sources'], '--', OPTIMISED,
                                    *program['flags']], cwd=program['cwd'], capture_output=True, text=True,
                                   errors='replace')
            if build.returncode:
                return dict(result, state='not built', why=(build.stderr + build.stdout)[:1500])
        if options.build:
            return dict(result, state='built')
        processors = options.free.get() if options.cores else None
        began = time.time()
        limit = functools.partial(limit_run, options.seconds * (options.cores or 1), processors)
        elapsed = options.seconds if options.cores else 20 * options.seconds
        command = [options.lanescope, 'exec', exe, '--on', options.on, *([] if options.ends else ['--json']), '--seconds',
                   str(elapsed)]
        if options.check:
            command += ['--check', options.check]
        done = subprocess.run([*command, '--', *program['args']], cwd=program['cwd'], capture_output=True,
                              stdin=subprocess.DEVNULL, preexec_fn=limit)
        if processors:
            options.free.put(processors)
    result['seconds'] = round(time.time() - began, 1)
    if options.ends:
        return dict(result, state=ending_of(done))
    try:
        report = json.loads(done.stdout.decode(errors='replace'), strict=False)
    except ValueError:
        return dict(result, state='fails', why=(done.stderr.decode(errors='replace') or 'no report')[:1500])
    run = dict(end=report['end'], status=report['status'], output=without_path(report['output'], key))
    if report['end'] not in ('exited', 'signal') or report.get('signal') in (9, 24, 'SIGKILL', 'SIGXCPU'):
        run['end'] = 'too long'
    result.update(end=report['end'], status=report['status'], signal=report.get('signal'), output=report['output'][:20000],
                  errors=report['errors'][-1500:], said=done.stderr.decode(errors='replace')[-800:],
                  findings=findings(report)[:20], state=state_of(run, gpu, gpu_output))
    return result


def ending_of(done):
    """How a run ended that printed a report as text."""
    text = done.stdout.decode(errors='replace')
    if done.returncode < 0 or re.search('^the program was ended after', text, re.M) or 'signal 24' in text:
        return 'too long'
    return 'fails' if re.search('^the program (ended with status|was ended)', text, re.M) or done.returncode > 1 else 'ends'


def without_path(text, key):
    """Programs print how they were started, and each machine has them in another folder."""
    return re.sub(r'[^\s"\'\[]*/' + key, 'PROGRAM', text)


def lines_of(path):
    return [json.loads(line) for line in open(path)] if os.path.exists(path) else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('lanescope', 'programs', 'results'):
        parser.add_argument(name)
    parser.add_argument('--sizes', help='file of smaller sizes')
    parser.add_argument('--gpu', help='folder of outputs on a GPU')
    parser.add_argument('--only', default='', help='regular expression for SUITE/NAME')
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--seconds', type=int, default=60, help='processor time of a run; on a GPU its time')
    parser.add_argument('--again', default='', help='states of earlier results to run again, with commas between')
    parser.add_argument('--cores', type=int, default=0,
                        help='processors for each run, of its own; --seconds is then elapsed time')
    parser.add_argument('--on', default='emulator', choices=('emulator', 'gpu'))
    parser.add_argument('--check', help='what to look for in each launch, as in lanescope exec')
    parser.add_argument('--keep', help='folder for the built programs; one that is in it is not built again')
    parser.add_argument('--build', action='store_true', help='build only')
    parser.add_argument('--ends', action='store_true',
                        help='see only whether they end well, without --json, which also counts rows of DRAM')
    options = parser.parse_args()
    on_gpu = options.lanescope == 'nvcc'
    options.free = queue.SimpleQueue()
    if options.cores:
        all_of_them = sorted(os.sched_getaffinity(0))
        groups = [all_of_them[i:i + options.cores] for i in range(0, len(all_of_them), options.cores)]
        for group in groups[:options.jobs]:
            options.free.put(group)
    if on_gpu:
        options.keep = options.keep or tempfile.mkdtemp()
        for folder in (options.keep, options.results):
            os.makedirs(folder, exist_ok=True)
    path = os.path.join(options.results, 'results.jsonl') if on_gpu else options.results
    state = {result['key']: result['state'] for result in lines_of(path)}
    gpu = {result['key']: result for result in lines_of(os.path.join(options.gpu, 'results.jsonl'))} if options.gpu else {}
    again, sizes = options.again.split(','), read_sizes(options.sizes)
    programs = [program for program in lines_of(options.programs)
                if re.search(options.only, program['suite'] + '/' + program['name'])
                and (key_of(program) not in state or state[key_of(program)] in again)]
    programs = [resized(program, sizes.get(program['suite'] + '/' + program['name'], [])) for program in programs]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, open(path, 'a') as file:
        todo = [pool.submit(trial_on_gpu, options, program) if on_gpu
                else pool.submit(trial, options, program, gpu.get(program['key'], {})) for program in programs]
        for future in concurrent.futures.as_completed(todo):
            result = future.result()
            print(f"{result['state']:11} {result.get('seconds', 0):6} s  {result['suite']}/{result['name']}", flush=True)
            file.write(json.dumps(result) + '\n')
            file.flush()
    return 0


if __name__ == '__main__':
    sys.exit(main())
