"""`grade --on`: a Slurm of this computer alone, with three nodes, and GNU parallel over ssh give the grades of a local
run byte for byte, also when a node is killed and a task is cancelled in the middle. Needs Debian's slurmctld, slurmd,
slurm-client and munge; parallel, rsync, openssh-server and openssh-client. Without them it is skipped."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["LANESCOPE"]
HANG = 600  # seconds, to end a process that hangs; no verdict depends on it
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"
RUBRIC = """title: Sums
file: sum.cu
kernel: sum
reference: right.cu
runs:
  - run: short
    arg: ["i32[32]=zero", "i32=10"]
    block: "32"
  - run: long
    arg: ["i32[32]=zero", "i32=LONG"]
    block: "32"
rules:
  - {rule: The sums are right, points: 3, reference: 0}
  - {rule: Nothing is found, points: 1, without: [any]}
"""
KERNEL = """__global__ void sum(int *out, int n)
{
    int s = 0;
    for (int i = FIRST; i < n; i++)
        s = s * 3 + i;
    out[threadIdx.x] = s;
}
"""


def has(*programs):
    return all(shutil.which(program, path=PATH) for program in programs)


def run(*words, **more):
    return subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=HANG,
                          env={**os.environ, "LANGUAGE": "en", "PATH": PATH, **more})


def free_ports(count):
    """Returns free ports of this computer below those that it gives to others."""
    found = []
    for port in range(20011 + os.getpid() % 9000, 32000):
        with socket.socket() as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if trial.connect_ex(("127.0.0.1", port)) != 0:
                found.append(port)
        if len(found) == count:
            return found


def until(holds):
    end = time.monotonic() + HANG
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.05)


def end(process_id):
    try:
        os.kill(process_id, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Cluster(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.place = pathlib.Path(folder.name).resolve()
        os.chmod(self.place, 0o755)
        self.trust = [] if " sandbox " in "".join(
            line for line in run(PROGRAM, "doctor").stdout.splitlines() if line.startswith("ok")) else ["--trust"]

    def hand_in(self, count, long):
        (self.place / "in").mkdir()
        (self.place / "rubric.yaml").write_text(RUBRIC.replace("LONG", str(long)))
        (self.place / "right.cu").write_text(KERNEL.replace("FIRST", "0"))
        for i in range(count):
            text = "__global__ int sum" if i == 1 else KERNEL.replace("FIRST", str(i // 2))
            (self.place / "in" / f"student {i}.cu").write_text(f"// {i}\n{text}")

    def words(self, out, *more):
        return [PROGRAM, "grade", self.place / "rubric.yaml", self.place / "in", "-o", self.place / out, *self.trust, *more]

    def expect_same(self, out):
        """The grades are those of a local run."""
        here = run(*self.words("here"))
        self.assertEqual((here.returncode, here.stderr), (1, ""))
        files = sorted(path.relative_to(self.place / "here") for path in (self.place / "here").rglob("*")
                       if path.is_file() and path.parent.name != "steps")
        self.assertGreater(len(files), 4)
        for name in files:
            self.assertEqual((self.place / out / name).read_bytes(), (self.place / "here" / name).read_bytes(), name)
        return here.stdout.replace(str(self.place / "here"), str(self.place / out))


@unittest.skipUnless(has("slurmctld", "slurmd", "sbatch", "squeue", "scancel", "munged"), "there is no Slurm")
class Slurm(Cluster):
    def setUp(self):
        super().setUp()
        at, name = self.place / "slurm", socket.gethostname().split(".")[0]
        ports = free_ports(4)
        for folder in ("state", "spool", "munge"):
            (at / folder).mkdir(parents=True)
        at.chmod(0o755)
        (at / "munge").chmod(0o700)
        (at / "munge" / "key").write_bytes(os.urandom(1024))
        (at / "munge" / "key").chmod(0o400)
        user = "root" if os.geteuid() == 0 else os.environ.get("USER", "root")
        (at / "slurm.conf").write_text(f"""ClusterName=test
SlurmctldHost={name}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket={at}/munge/socket,cred_expire=5
StateSaveLocation={at}/state
SlurmdSpoolDir={at}/spool/%n
SlurmctldPidFile={at}/slurmctld.pid
SlurmdPidFile={at}/%n.pid
SlurmctldLogFile={at}/slurmctld.log
SlurmdLogFile={at}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdTimeout=5
KillWait=1
MpiDefault=none
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
NodeName=node[1-3] NodeHostname={name} NodeAddr=127.0.0.1 Port=[{ports[1]}-{ports[3]}] CPUs=1
PartitionName=all Nodes=ALL Default=YES State=UP
""")
        os.environ["SLURM_CONF"] = str(at / "slurm.conf")
        self.at = at
        self.addCleanup(self.stop)
        munge = at / "munge"
        self.start("munged", "--force", f"--key-file={munge}/key", f"--socket={munge}/socket",
                   f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed")
        self.start("slurmctld")
        for node in ("node1", "node2", "node3"):
            self.start("slurmd", "-N", node)
        until(lambda: run("sinfo", "-h", "-o", "%T").stdout.split() == ["idle"])

    def start(self, *words):
        done = run(*words)
        self.assertEqual(done.returncode, 0, done.stderr)

    def stop(self):
        run("scancel", "--state=RUNNING", "--state=PENDING", "--user", str(os.geteuid()))
        for pid in [*self.at.glob("*.pid"), self.at / "munge" / "pid"]:
            if pid.exists():
                end(int(pid.read_text()))
        for process in self.processes("SLURM_CONF=" + os.environ.pop("SLURM_CONF")):
            end(process)

    def processes(self, variable):
        """Returns the processes with this in their environment, but for this one."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
            try:
                if variable.encode() in path.read_bytes().split(b"\0") and int(path.parent.name) != os.getpid():
                    found.append(int(path.parent.name))
            except OSError:
                pass
        return found

    def test_no_result_is_lost(self):
        self.hand_in(5, 200000)
        grading = subprocess.Popen([*map(str, self.words("there", "--on", "slurm"))], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env={**os.environ, "LANGUAGE": "en", "PATH": PATH})
        node = {}

        def on_two_nodes():
            rows = [line.split() for line in run("squeue", "-h", "-r", "-t", "R", "-o", "%i %N").stdout.splitlines()]
            node.update({row[1]: row[0] for row in rows if len(row) == 2})
            return grading.poll() is not None or len(node) > 1

        until(on_two_nodes)
        self.assertIsNone(grading.poll())
        dead = sorted(node)[0]  # with all that runs there
        slurmd = int((self.at / f"{dead}.pid").read_text())
        for process in [slurmd, *self.processes(f"SLURMD_NODENAME={dead}")]:
            end(process)
        run("scancel", node[sorted(node)[1]])  # a task that Slurm does not start again by itself
        out, errors = grading.communicate(timeout=HANG)
        self.assertEqual((grading.returncode, errors), (1, ""))
        self.assertIn("down", run("sinfo", "-h", "-n", dead, "-o", "%T").stdout)
        self.assertEqual(out, self.expect_same("there"))
        again = run(*self.words("there", "--on", "slurm"))
        self.assertIn("of which kept: 12", again.stdout)  # of 6, with the reference
        self.assertFalse((self.place / "there" / "cluster" / "job").exists())

    def test_a_killed_grading_goes_on(self):
        self.hand_in(3, 200000)
        words = [*map(str, self.words("there", "--on", "slurm"))]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, env={**os.environ, "LANGUAGE": "en", "PATH": PATH}) as first:
            until(lambda: len(list((self.place / "there" / "steps").glob("*.json"))) > 3 or first.poll() is not None)
            first.kill()
        done = run(*words)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertRegex(done.stdout, r"of which kept: ([4-8])\n")
        self.expect_same("there")

    def test_what_slurm_refuses_is_told(self):
        self.hand_in(1, 10)
        done = run(*self.words("there", "--on", "slurm"), SBATCH_PARTITION="nowhere")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (3, "", 1))
        self.assertRegex(done.stderr, "Slurm does not take the job: .*partition")
        self.assertFalse((self.place / "there" / "grades.csv").exists())


@unittest.skipUnless(has("parallel", "rsync", "ssh", "sshd", "ssh-keygen"), "there is no GNU parallel, rsync or sshd")
class Ssh(Cluster):
    def setUp(self):
        super().setUp()
        at, (port, nobody) = self.place / "ssh", free_ports(2)
        at.mkdir()
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        for key in ("key", "host"):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", at / key)
        (at / "sshd_config").write_text(
            f"ListenAddress 127.0.0.1\nPort {port}\nHostKey {at}/host\nAuthorizedKeysFile {at}/key.pub\n"
            "StrictModes no\nUsePAM no\nPasswordAuthentication no\nPidFile none\n")
        (at / "config").write_text(
            f"Host good bad\n HostName 127.0.0.1\n IdentityFile {at}/key\n UserKnownHostsFile /dev/null\n"
            f" StrictHostKeyChecking no\n LogLevel ERROR\n BatchMode yes\nHost good\n Port {port}\nHost bad\n Port {nobody}\n")
        self.server = subprocess.Popen([shutil.which("sshd", path=PATH), "-D", "-f", at / "sshd_config"],
                                       stderr=subprocess.DEVNULL)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.terminate)
        self.ssh = {"PARALLEL_SSH": f"ssh -F {at}/config"}
        until(lambda: self.server.poll() is not None or run("ssh", "-F", at / "config", "good", "true").returncode == 0)
        if self.server.poll() is not None:
            self.skipTest("this user cannot start sshd")

    def test_a_host_that_is_down_loses_nothing(self):
        self.hand_in(2, 10)
        (self.place / "hosts").write_text("bad\n2/good\n")
        done = run(*self.words("there", "--on", f"ssh:@{self.place}/hosts"), **self.ssh)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertEqual(done.stdout, self.expect_same("there"))

    def test_lost_tasks_are_told(self):
        self.hand_in(1, 10)
        done = run(*self.words("there", "--on", "ssh:bad"), **self.ssh)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (3, "", 1))
        self.assertIn("were lost 3 times", done.stderr)
        self.assertFalse((self.place / "there" / "grades.csv").exists())


class Words(Cluster):
    def test_a_task_of_another_build_is_refused(self):
        self.hand_in(1, 10)
        task = self.place / "0.task"
        for text, word in (("{}", "no part of a grading"), ("[", "cannot be read"),
                           ('{"version": 1, "trust": true, "made_by": "other", "rubric": {"file": "a.cu", "files": [], '
                            '"flags": [], "runs": [], "buffers": [], "seconds": 1.0, "memory": 1, "disk": 1, '
                            '"processes": 1, "instructions": 1}, "students": []}', "another Lanescope or clang")):
            task.write_text(text)
            done = run(PROGRAM, "grade", "--task", task, *self.trust)
            self.assertIn(word, done.stderr)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (3 if "another" in word else 2, 1))
        self.assertFalse(task.with_suffix(".done").exists())

    def test_wrong_hosts(self):
        for on in ("toaster", "ssh:", "ssh:-oProxyCommand=x", "ssh:@"):
            done = run(*self.words("there", "--on", on))
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), on)


class Missing(Cluster):
    def test_what_is_missing_is_told(self):
        self.hand_in(1, 10)
        (self.place / "bin").mkdir()
        for tool in pathlib.Path("/usr/bin").iterdir():  # all but Slurm's
            if not tool.name.startswith("s"):
                (self.place / "bin" / tool.name).symlink_to(tool)
        done = run(*self.words("there", "--on", "slurm", "--trust"), PATH=str(self.place / "bin"))
        self.assertEqual((done.returncode, done.stderr.count("\n")), (3, 1), done.stderr)
        self.assertIn("sbatch" if "squeue" not in done.stderr else "squeue", done.stderr)


if __name__ == "__main__":
    unittest.main()
