#!/usr/bin/env python3
"""Compare where the sectors of public programs' launches came from: the model of the caches and Nsight Compute.

usage: caches.py emulator LANESCOPE LIST FOLDER [--jobs N] [--seconds N]
       caches.py gpu LIST FOLDER [--minutes N]             on a machine with a GPU
       caches.py compare LIST EMULATOR GPU [--table FILE]

LIST has one JSON object a line: key, suite, name, size, program, cwd, args. program was made by `lanescope build`, so that
the driver of a GPU compiles the same PTX that the emulator runs; program and cwd are paths from the folder of LIST. The
folders get KEY.json and KEY.csv. LIST is taken in its order; when the minutes are over, the rest of it is left out. The
first three launches of each kernel of a program are counted. On the GPU, the folder lib beside LIST, if there is one, is
where the program finds its libraries.
"""
import argparse
import collections
import concurrent.futures
import csv
import json
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import time

LAUNCHES = 3  # of a kernel in a program
SECTORS = 'l1tex__t_sectors_pipe_lsu_mem_%s_op_%s.sum'
HITS = 'l1tex__t_sectors_pipe_lsu_mem_%s_op_%s_lookup_hit.sum'
L2_READS, L2_HITS = 'lts__t_sectors_srcunit_tex_op_read.sum', 'lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum'
L2_WRITES, DRAM = 'lts__t_sectors_srcunit_tex_op_write.sum', 'dram__sectors_read.sum'
COUNTERS = ([name % (memory, operation) for memory in ('global', 'local') for operation in ('ld', 'st')
             for name in (SECTORS, HITS)] + [L2_READS, L2_HITS, L2_WRITES, DRAM])
LOADS, LOAD_HITS, STORES = SECTORS % ('global', 'ld'), HITS % ('global', 'ld'), SECTORS % ('global', 'st')
LOCAL = SECTORS % ('local', 'ld')
SHARE, REGISTERS = 'launch__shared_mem_config_size', 'launch__registers_per_thread'
LIMITS = ['launch__occupancy_limit_' + what for what in ('registers', 'blocks', 'warps', 'shared_mem')]
FEW = 4000  # sectors of the DRAM; code and parameters are some 200


def lines_of(path):
    return [json.loads(line) for line in open(path) if line.strip()]


def folder_of(path):
    return os.path.dirname(os.path.abspath(path))


def in_place(program, folder):
    return [os.path.join(folder, program['program']), *program['args']], os.path.join(folder, program['cwd'])


def shape(values):
    """'2x1x1' of [2, 1, 1], of '(2, 1, 1)' and of '2x1x1'."""
    numbers = re.findall(r'\d+', values) if isinstance(values, str) else values
    return 'x'.join(str(number) for number in [*numbers, 1, 1][:3])


def firsts(launches):
    """The first launches of each kernel, with their number: the first is 1."""
    count = collections.Counter()
    for launch in launches:
        count[launch['kernel']] += 1
        if count[launch['kernel']] <= LAUNCHES:
            yield dict(launch, number=count[launch['kernel']])


# ---- the emulator ----

def slim(launch):
    caches = launch.get('caches') or {'reason': 'no counts'}
    counts = {**{name: value for name, value in (launch.get('counters') or {}).items() if name in (LOADS, STORES)},
              **caches.get('counters', {})}
    return dict(kernel=launch['symbol'], grid=shape(launch['launch']['grid']), block=shape(launch['launch']['block']),
                faults=len(launch.get('faults') or []), reason=caches.get('reason'), counts=counts,
                resident=caches.get('resident_blocks'), l1_bytes=caches.get('l1_bytes'))


def emulate(options, program, folder):
    command, cwd = in_place(program, folder)
    command = [options.lanescope, 'exec', command[0], '--on', 'emulator', '--caches', 'model', '--check', 'none', '--json',
               '--seconds', str(20 * options.seconds), '--', *command[1:]]
    limits = (options.seconds, options.seconds)
    began = time.time()
    done = subprocess.run(command, cwd=cwd, capture_output=True, stdin=subprocess.DEVNULL,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limits))
    result = dict(key=program['key'], state='fails', seconds=round(time.time() - began, 1), launches=[])
    try:
        report = json.loads(done.stdout.decode(errors='replace'), strict=False)
    except ValueError:
        return dict(result, why=(done.stderr.decode(errors='replace') or 'no report')[:500])
    if report['end'] == 'exited' and report['status'] == 0:
        result['state'] = 'ends'
    elif report['end'] not in ('exited', 'signal') or report.get('signal') in (9, 24, 'SIGKILL', 'SIGXCPU'):
        result['state'] = 'too long'
    return dict(result, end=report['end'], status=report['status'],
                launches=list(firsts(slim(launch) for launch in report.get('launches', []) if launch.get('ran'))))


def emulator(options):
    programs, folder = lines_of(options.list), folder_of(options.list)
    os.makedirs(options.folder, exist_ok=True)
    path_of = {program['key']: os.path.join(options.folder, program['key'] + '.json') for program in programs}
    todo = [program for program in programs if not os.path.exists(path_of[program['key']])]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = {pool.submit(emulate, options, program, folder): program for program in todo}
        for future in concurrent.futures.as_completed(waiting):
            result, program = future.result(), waiting[future]
            with open(path_of[program['key']], 'w') as file:
                json.dump(result, file)
            print(f"{result['state']:9}{result['seconds']:6} s {len(result['launches']):4}  "
                  f"{program['suite']}/{program['name']}", flush=True)


# ---- the GPU ----

def count(options, program, folder, path):
    """Runs one program under the profiler, which writes its table to the path. Returns how it ended."""
    command, cwd = in_place(program, folder)
    metrics = ','.join([*COUNTERS, SHARE, *options.also.split()])
    profiler = ['ncu', '--csv', '--page', 'raw', '--print-units', 'base', '--clock-control', 'none', '--cache-control', 'all',
                '--kernel-name-base', 'mangled', '--print-kernel-base', 'mangled',
                *shlex.split(options.chosen), '--metrics', metrics, '--log-file', path]
    libraries = [os.path.join(folder, 'lib')] if os.path.isdir(os.path.join(folder, 'lib')) else []
    libraries += [os.environ['LD_LIBRARY_PATH']] if os.environ.get('LD_LIBRARY_PATH') else []
    environment = dict(os.environ, LANESCOPE_PROGRAM_EXECUTOR='gpu', LD_LIBRARY_PATH=':'.join(libraries))
    process = subprocess.Popen(profiler + command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    try:
        _, errors = process.communicate(timeout=options.seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return 'too long', ''
    return process.returncode, errors.decode(errors='replace')[-300:]


def gpu(options):
    programs, folder = lines_of(options.list), folder_of(options.list)
    os.makedirs(options.folder, exist_ok=True)
    origin = subprocess.run(['nvidia-smi', '--query-gpu=name,driver_version', '--format=csv,noheader'], text=True,
                            capture_output=True).stdout.strip()
    version = subprocess.run(['ncu', '--version'], text=True, capture_output=True).stdout
    with open(os.path.join(options.folder, 'origin.txt'), 'w') as file:
        file.write(f"{origin.replace(', ', ', driver ')}, ncu {''.join(re.findall(r'Version ([0-9.]+)', version))}\n")
    end = time.time() + 60 * options.minutes
    with open(os.path.join(options.folder, 'ends.jsonl'), 'w') as ends:
        for program in programs:
            if time.time() > end:
                print('the time is over')
                break
            path, began = os.path.abspath(os.path.join(options.folder, program['key'] + '.csv')), time.time()
            status, errors = count(options, program, folder, path)
            rows = table(path)
            result = dict(key=program['key'], status=status, launches=len(rows), seconds=round(time.time() - began, 1))
            if status or not rows:
                result['errors'] = errors
            print(f"{status!s:9}{result['seconds']:6} s {len(rows):4}  {program['suite']}/{program['name']}", flush=True)
            ends.write(json.dumps(result) + '\n')
            ends.flush()


def number(text):
    text = (text or '').replace(',', '')
    return int(float(text)) if re.fullmatch(r'[0-9.]+(e[+-]?\d+)?', text) else None


def table(path):
    """The launches that the profiler counted, in their order."""
    if not os.path.exists(path):
        return []
    rows = list(csv.reader(line for line in open(path, errors='replace') if line.startswith('"')))
    launches = [dict(zip(rows[0], row)) for row in rows[2:] if len(row) == len(rows[0])]  # rows[1] has the units
    return list(firsts(dict(kernel=launch['Kernel Name'], grid=shape(launch['Grid Size']), block=shape(launch['Block Size']),
                            counts={name: number(launch.get(name)) for name in
                                    (*COUNTERS, SHARE, REGISTERS, *LIMITS)}) for launch in launches))


# ---- the comparison ----

def near(ours, theirs, share, of):
    return abs(ours - theirs) <= share * of


def judge(model, machine):
    """Returns what of a launch is within the bounds: None where the model says nothing or there is nothing to say."""
    ours, theirs = model['counts'], machine['counts']
    if model['reason'] or ours.get(LOAD_HITS) is None:
        return dict(told=False, l1=None, l2=None, l2_hits=None, dram=None)
    known = ours.get(L2_READS) is not None
    return dict(told=True, l1=near(ours[LOAD_HITS], theirs[LOAD_HITS], 0.01, theirs[LOADS]),
                l2=near(ours[L2_READS], theirs[L2_READS], 0.03, theirs[L2_READS]) if known else None,
                l2_hits=near(ours[L2_HITS], theirs[L2_HITS], 0.03, theirs[L2_READS]) if known else None,
                dram=near(ours[DRAM], theirs[DRAM], 0.1, theirs[DRAM]) if theirs[DRAM] > FEW else None)


def remarks(model, machine):
    """What a launch has that the model does not know, or knows otherwise."""
    theirs, found = machine['counts'], []
    resident = model.get('resident') or 0
    fit = min([theirs[limit] for limit in LIMITS if theirs.get(limit)] or [resident])
    if resident and fit != resident:
        found.append(f'{fit} blocks fit ({theirs[REGISTERS]} registers), model {resident}')
    if model.get('l1_bytes') and theirs.get(SHARE) and 248 * 1024 - model['l1_bytes'] != theirs[SHARE]:
        found.append(f"share {theirs[SHARE]}, model {248 * 1024 - model['l1_bytes']}")
    if theirs[LOCAL] or model['counts'].get(LOCAL):
        found.append(f"local loads {theirs[LOCAL]}, model {model['counts'].get(LOCAL)}")
    if model['faults']:
        found.append('faults')
    return '; '.join(found)


def pairs(options):
    """Yields program, launch of the model, launch of the machine (None: absent, or of another shape)."""
    for program in lines_of(options.list):
        paths = [os.path.join(folder, program['key'] + ending) for folder, ending in
                 ((options.emulator, '.json'), (options.gpu, '.csv'))]
        if not all(map(os.path.exists, paths)):
            continue
        machine = {(launch['kernel'], launch['number']): launch for launch in table(paths[1])}
        for model in json.load(open(paths[0]))['launches']:
            found = machine.get((model['kernel'], model['number']))
            same = found and all(found[part] == model[part] for part in ('grid', 'block'))
            yield program, model, found if same and None not in [found['counts'][name] for name in COUNTERS] else None


VERDICTS = ('l1', 'l2', 'l2_hits', 'dram')
HEAD = ('programs', 'launches', 'alike', 'told', 'L1 hits', 'L2 reads', 'of', 'L2 hits', 'of', 'DRAM', 'of')


def sums(rows):
    """The columns of HEAD. rows: program, verdict or None where the accesses differ."""
    told = [verdict for _, verdict in rows if verdict and verdict['told']]
    line = [len({program['key'] for program, _ in rows}), len(rows), sum(bool(verdict) for _, verdict in rows), len(told),
            sum(verdict['l1'] for verdict in told)]
    for name in VERDICTS[1:]:
        known = [verdict[name] for verdict in told if verdict[name] is not None]
        line += [sum(known), len(known)]
    return line


def print_sums(title, groups):
    print(f"\n{title:32}" + ' '.join(f'{name:>9}' for name in HEAD))
    for name, rows in groups.items():
        print(f'{name:32}' + ' '.join(f'{value:9}' for value in sums(rows)))


def figures(model, machine):
    return ' '.join(f"{'-' if model['counts'].get(name) is None else model['counts'][name]}/{machine['counts'][name]}"
                    for name in (LOADS, LOAD_HITS, L2_READS, L2_HITS, DRAM))


def name_of(program, model):
    return (f"{program['suite']}/{program['name']} ({program['size']}) {model['kernel']} {model['number']} "
            f"{model['grid']} {model['block']}")


def words(values):
    return ' '.join('-' if value is None else str(value) for value in values)


def write_table(path, origin, rows):
    with open(path, 'w') as file:
        file.write(f'# {origin}\n# SUITE/NAME SIZE KERNEL NUMBER GRID BLOCK : counters of the GPU : of the model, - where it '
                   'says nothing\n')
        for name in (*COUNTERS, SHARE, REGISTERS):
            file.write(f'# {name}\n')
        for program, model, machine in rows:
            ours = [model['counts'].get(name) if not model['reason'] else None for name in COUNTERS]
            file.write('\t'.join([f"{program['suite']}/{program['name']}", program['size'], model['kernel'],
                                  str(model['number']), model['grid'], model['block']]) + ' : ' +
                       words([machine['counts'][name] for name in (*COUNTERS, SHARE, REGISTERS)]) + ' : ' + words(ours) + '\n')


def compare(options):
    absent, rows, groups = [], [], collections.defaultdict(list)
    for program, model, machine in pairs(options):
        if machine:
            rows.append((program, model, machine))
        else:
            absent.append(name_of(program, model))
    reasons, others, outside = collections.Counter(), [], []
    for program, model, machine in rows:
        alike = all(model['counts'].get(name) == machine['counts'][name] for name in (LOADS, STORES))
        verdict = judge(model, machine) if alike else None
        kinds = [program['suite'], program['size'] + ' size', 'all']
        if machine['counts'][LOADS]:
            kinds.append('with global loads')
        if machine['counts'][LOADS] > 1000:
            kinds.append('with more than 1,000 sectors')
        if machine['counts'][LOAD_HITS]:
            kinds.append('with L1 hits')
        for kind in kinds:
            groups[kind].append((program, verdict))
        if not alike:
            others.append((program, model, machine))
        elif not verdict['told']:
            reasons[model['reason']] += 1
        elif any(verdict[name] is False for name in VERDICTS):
            outside.append((program, model, machine, verdict))
    order = sorted(groups, key=lambda name: (name in ('all',) or name.startswith('with '), name))
    print_sums('of the launches', {name: groups[name] for name in order})
    print('\nnot told:', *(f'\n{count:6}  {reason}' for reason, count in reasons.most_common()))
    print(f'\naccesses of the machine code differ: {len(others)} launches (loads, stores: model/machine)')
    for program, model, machine in others:
        pair = [f"{model['counts'].get(name)}/{machine['counts'][name]}" for name in (LOADS, STORES)]
        print(f'  {name_of(program, model)}: {pair[0]} {pair[1]}')
    print(f'\noutside the bounds: {len(outside)} launches, model/machine: loads, L1 hits, L2 reads, L2 hits, DRAM')
    for program, model, machine, verdict in outside:
        wrong = ','.join(name for name in VERDICTS if verdict[name] is False)
        print(f'  {wrong}: {name_of(program, model)}: {figures(model, machine)}; {remarks(model, machine)}')
    print(f'\nabsent on the GPU, or of another shape: {len(absent)} launches', *absent, sep='\n  ')
    if options.table:
        origin = open(os.path.join(options.gpu, 'origin.txt')).read().strip()
        write_table(options.table, origin, rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest='command', required=True)
    for function, words in ((emulator, ('lanescope', 'list', 'folder')), (gpu, ('list', 'folder')),
                            (compare, ('list', 'emulator', 'gpu'))):
        command = commands.add_parser(function.__name__)
        command.set_defaults(function=function)
        for word in words:
            command.add_argument(word)
        if function is emulator:
            command.add_argument('--jobs', type=int, default=1)
            command.add_argument('--seconds', type=int, default=20, help='processor time of a program')
        elif function is gpu:
            command.add_argument('--minutes', type=float, default=8, help='after which no program is started')
            command.add_argument('--seconds', type=int, default=30, help='for a program')
            command.add_argument('--chosen', default=f"--kernel-id ':::{'|'.join(str(i + 1) for i in range(LAUNCHES))}'",
                                 help="the profiler's words for the launches to count")
            command.add_argument('--also', default=' '.join([REGISTERS, *LIMITS]), help='further counters')
        else:
            command.add_argument('--table', help='file for the counts of each launch')
    options = parser.parse_args()
    options.function(options)
    return 0


if __name__ == '__main__':
    sys.exit(main())
