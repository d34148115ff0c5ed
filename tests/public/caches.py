#!/usr/bin/env python3
"""Compare where the sectors of public programs' launches came from: the model of the caches and Nsight Compute.

usage: caches.py emulator LANESCOPE LIST FOLDER [--jobs N] [--seconds N] [--gpu NAME]
       caches.py gpu LIST FOLDER [--minutes N]             on a machine with a GPU
       caches.py compare LIST EMULATOR GPU TABLE           writes the table
       caches.py show TABLE                                says how many launches agree, and lists the others

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
                between=caches.get('between', {}).get(L2_READS),
                resident=caches.get('resident_blocks'), l1_bytes=caches.get('l1_bytes'))


def emulate(options, program, folder):
    command, cwd = in_place(program, folder)
    command = [options.lanescope, 'exec', command[0], '--on', 'emulator', '--caches', 'model', '--check', 'none', '--json',
               '--seconds', str(20 * options.seconds), *(['--gpu', options.of] if options.of else []), '--', *command[1:]]
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


def judge(launch):
    """Returns what of a launch is within the bounds: None where the model says nothing or there is nothing to say."""
    ours, theirs = launch['model'], launch['gpu']
    if ours[LOAD_HITS] is None:
        return None
    known = not isinstance(ours[L2_READS], tuple)
    least, most = (ours[L2_READS], ours[L2_READS]) if known else ours[L2_READS]
    return dict(l1=near(ours[LOAD_HITS], theirs[LOAD_HITS], 0.01, theirs[LOADS]),
                l2=near(ours[L2_READS], theirs[L2_READS], 0.03, theirs[L2_READS]) if known else None,
                between=least <= 1.03 * theirs[L2_READS] and most >= 0.97 * theirs[L2_READS],
                l2_hits=(near(ours[L2_HITS], theirs[L2_HITS], 0.03, theirs[L2_READS])
                         if known and ours[L2_HITS] is not None else None),
                dram=near(ours[DRAM], theirs[DRAM], 0.1, theirs[DRAM]) if theirs[DRAM] > FEW else None)


def remarks(model, machine):
    """What a launch has that the model does not know, or knows otherwise."""
    found = []
    if model['faults']:
        found.append('a fault ends it in the emulator')
    if model['reason'] and not model['faults']:
        found.append('not told: ' + model['reason'])
    theirs = machine['counts']
    resident = model.get('resident') or 0
    fit = min([theirs[limit] for limit in LIMITS if theirs.get(limit)] or [resident])
    if resident and fit != resident:
        found.append(f'{fit} blocks fit ({theirs[REGISTERS]} registers), model {resident}')
    if model.get('l1_bytes') and theirs.get(SHARE) and 248 * 1024 - model['l1_bytes'] != theirs[SHARE]:
        found.append(f"share {theirs[SHARE]}, model {248 * 1024 - model['l1_bytes']}")
    return '; '.join(found)


def pairs(options):
    """Yields program, launch of the model, launch of the GPU (None: absent, or of another shape)."""
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


def word(value):
    return '-' if value is None else '..'.join(map(str, value)) if isinstance(value, tuple) else str(value)


def value_of(text):
    return None if text == '-' else tuple(map(int, text.split('..'))) if '..' in text else int(text)


def cell(theirs, ours):
    return str(theirs) if theirs == ours else f'{theirs}/{word(ours)}'


def compare(options):
    """Writes the table: a line for each launch."""
    with open(options.table, 'w') as file:
        file.write(f"# {open(os.path.join(options.gpu, 'origin.txt')).read().strip()}\n"
                   '# The table is made by tests/public/caches.py compare, and read by tests/public/caches.py show.\n'
                   '# SUITE/NAME SIZE KERNEL NUMBER GRID BLOCK COUNTERS REMARK, with tabs between. Each of the counters is\n'
                   '# GPU/MODEL, or one number where both are equal; "-": not told; A..B: from A to B. They are:\n')
        for name in COUNTERS:
            file.write(f'# {name}\n')
        for program, model, machine in pairs(options):
            row = [f"{program['suite']}/{program['name']}", program['size'], model['kernel'], str(model['number']),
                   model['grid'], model['block']]
            ours = dict(model['counts'])
            if model.get('between'):
                ours[L2_READS] = tuple(model['between'])
            if machine:
                row += [*(cell(machine['counts'][name], ours.get(name)) for name in COUNTERS), remarks(model, machine)]
            else:
                row.append('absent on the GPU, or of another shape')
            file.write('\t'.join(row).rstrip() + '\n')


def launches_of(path):
    """The launches of the table; those that the GPU lacks have no 'gpu'."""
    for line in open(path):
        row = line.rstrip('\n').split('\t')
        if line.startswith('#'):
            continue
        launch = dict(zip(('program', 'size', 'kernel', 'number', 'grid', 'block'), row), remark=''.join(row[18:]))
        if len(row) > 7:
            cells = [(text.split('/') * 2)[:2] for text in row[6:18]]
            launch['gpu'] = {name: int(texts[0]) for name, texts in zip(COUNTERS, cells)}
            launch['model'] = {name: value_of(texts[1]) for name, texts in zip(COUNTERS, cells)}
            launch['alike'] = all(launch['gpu'][name] == launch['model'][name] for name in (LOADS, STORES))
            launch['verdict'] = judge(launch) if launch['alike'] else None
        yield launch


VERDICTS = ('l1', 'l2', 'between', 'l2_hits', 'dram')
HEAD = ('launches of', 'programs', 'launches', 'alike', 'told', 'L1 hits', 'L2 reads told', 'within 3 %', 'between', 'L2 hits',
        'from the DRAM: of', 'within 10 %')


def sums(launches):
    """The columns of HEAD behind the first."""
    told = [launch['verdict'] for launch in launches if launch['verdict']]

    def counts(name):
        known = [verdict[name] for verdict in told if verdict[name] is not None]
        return len(known), sum(known)
    return [len({(launch['program'], launch['size']) for launch in launches}), len(launches),
            sum(launch['alike'] for launch in launches), len(told), counts('l1')[1], *counts('l2'), counts('between')[1],
            counts('l2_hits')[1], *counts('dram')]


def groups_of(launches):
    groups = collections.defaultdict(list)
    for launch in launches:
        loads = launch['gpu'][LOADS]
        for kind in (launch['program'].split('/')[0], launch['size'] + ' size', 'all'):
            groups[kind].append(launch)
        if loads > 1000:
            groups['with more than 1,000 sectors of global loads'].append(launch)
        if launch['gpu'][LOAD_HITS]:
            groups['with hits in the L1'].append(launch)
    order = ('published size', 'smaller size', 'with more than 1,000 sectors of global loads', 'with hits in the L1', 'all')
    return {name: groups[name] for name in [*sorted(name for name in groups if name not in order), *order]}


def name_of(launch):
    return ' '.join(launch[part] for part in ('program', 'kernel', 'number', 'grid', 'block'))


def print_list(title, lines):
    print(f'\n{title}: {len(lines)}', *lines, sep='\n  ')


def cells_of(launch, names):
    return ', '.join(cell(launch['gpu'][name], launch['model'][name]) for name in names)


def show(options):
    launches = list(launches_of(options.table))
    compared = [launch for launch in launches if 'gpu' in launch]
    print('| ' + ' | '.join(HEAD) + ' |\n' + '|---' * len(HEAD) + '|')
    for name, group in groups_of(compared).items():
        print('| ' + ' | '.join(map(str, (name, *sums(group)))) + ' |')
    told = [launch for launch in compared if launch['verdict']]
    ranges = sorted(launch['model'][L2_READS][1] / launch['model'][L2_READS][0] for launch in told
                    if isinstance(launch['model'][L2_READS], tuple))
    print(f'\n{len(ranges)} ranges of L2 reads' +
          (f', most / least: median {ranges[len(ranges) // 2]:.2f}, largest {ranges[-1]:.2f}' if ranges else ''))
    known = [launch for launch in told if launch['verdict']['l2_hits'] is not None]
    missed = [[launch[side][L2_READS] - launch[side][L2_HITS] for side in ('gpu', 'model')] for launch in known]
    print(f'of {len(known)} with L2 hits, {sum(2 * gpu >= model for gpu, model in missed)} miss at least half as often as '
          'the model')
    exact = [launch for launch in told if launch['gpu'][LOAD_HITS] == launch['model'][LOAD_HITS]]
    print(f"of {len(told)} told, {len(exact)} have exactly the hits in the L1; of those with any, "
          f"{sum(launch['gpu'][LOAD_HITS] > 0 for launch in exact)}")
    print_list('accesses differ (loads, stores)', [f"{name_of(launch)}: {cells_of(launch, (LOADS, STORES))} {launch['remark']}"
                                                   for launch in compared if not launch['alike']])
    print_list('alike, but not told', [f"{name_of(launch)}: {launch['remark']}" for launch in compared
                                       if launch['alike'] and not launch['verdict']])
    figures = (LOADS, LOAD_HITS, LOCAL, L2_READS, L2_HITS, DRAM)
    print_list('outside the bounds (loads, L1 hits, local loads, L2 reads, L2 hits, DRAM)', [
        f"{','.join(name for name in VERDICTS if launch['verdict'][name] is False)}: {name_of(launch)}: "
        f"{cells_of(launch, figures)} {launch['remark']}" for launch in told if False in launch['verdict'].values()])
    print_list('absent on the GPU, or of another shape', [name_of(launch) for launch in launches if 'gpu' not in launch])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest='command', required=True)
    for function, words in ((emulator, ('lanescope', 'list', 'folder')), (gpu, ('list', 'folder')),
                            (compare, ('list', 'emulator', 'gpu', 'table')), (show, ('table',))):
        command = commands.add_parser(function.__name__)
        command.set_defaults(function=function)
        for word in words:
            command.add_argument(word)
        if function is emulator:
            command.add_argument('--jobs', type=int, default=1)
            command.add_argument('--seconds', type=int, default=20, help='processor time of a program')
            command.add_argument('--gpu', dest='of', help='as for lanescope exec')
        elif function is gpu:
            command.add_argument('--minutes', type=float, default=8, help='after which no program is started')
            command.add_argument('--seconds', type=int, default=30, help='for a program')
            command.add_argument('--chosen', default=f"--kernel-id ':::{'|'.join(str(i + 1) for i in range(LAUNCHES))}'",
                                 help="the profiler's words for the launches to count")
            command.add_argument('--also', default=' '.join([REGISTERS, *LIMITS]), help='further counters')
    options = parser.parse_args()
    options.function(options)
    return 0


if __name__ == '__main__':
    sys.exit(main())
