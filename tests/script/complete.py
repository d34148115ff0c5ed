"""`lanescope complete` proposes what a command line may go on with; the scripts of the shells pass it on."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["LANESCOPE"]


def run(*words, **more):
    environment = {**os.environ, "LANGUAGE": "en", **more}
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, env=environment, timeout=600)


def proposed(*words, **more):
    """Returns the proposed words for the last one, which is unfinished, without their meanings."""
    done = run("complete", "--", *words, **more)
    assert done.returncode == 0 and done.stderr == "", done
    return [line.split("\t")[0] for line in done.stdout.splitlines()]


class Words(unittest.TestCase):
    def test_the_first_word_is_a_command_a_lesson_or_a_file(self):
        self.assertEqual(proposed("ren"), ["render", ":files"])
        self.assertEqual(proposed("bank"), ["banks", ":files"])
        self.assertLessEqual({"run", "doctor", "transpose", ":files"}, set(proposed("")))

    def test_every_option_of_the_help_is_proposed_and_no_other(self):
        for command in ("run", "render", "exec", "list", "export"):
            told = set(re.findall(r"^ .*?(--[a-z-]+)", run(command, "--help").stdout, re.M))
            self.assertEqual(set(proposed(command, "--")), told | {"--help"}, command)

    def test_a_lessons_knobs_values_and_variants_are_proposed(self):
        self.assertIn("stride=", proposed("banks", "--set", ""))
        self.assertEqual(proposed("run", "banks", "--set", "stride=31"), ["stride=31"])
        self.assertIn("store", proposed("banks", "--variant", ""))
        self.assertEqual(proposed("run", "banks", "--set", "nothing"), [])

    def test_words_that_an_option_takes_are_proposed(self):
        self.assertEqual(proposed("run", "banks", "--on", ""), ["gpu", "emulator", "recording"])
        self.assertEqual(proposed("banks", "--theme", "d"), ["dark"])
        self.assertEqual(proposed("bench", "pro"), ["programs"])
        self.assertEqual(proposed("render", "banks", "-o", ""), [":files"])
        self.assertEqual(proposed("complete", ""), ["bash", "zsh", "fish"])

    def test_what_stands_behind_two_dashes_belongs_to_the_program(self):
        self.assertEqual(proposed("exec", "./homework", "--", "--on"), [":files"])

    def test_meanings_are_told_in_korean(self):
        english, korean = (run("complete", "--", "doc", LANGUAGE=word).stdout for word in ("en", "ko"))
        self.assertEqual(english.split("\t")[0], korean.split("\t")[0])
        self.assertRegex(korean, "[가-힣]")

    def test_a_shell_that_is_not_known_is_refused(self):
        done = run("complete", "tcsh")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("bash, zsh or fish", done.stderr)


class Shells(unittest.TestCase):
    def bash(self, line):
        """Returns what bash proposes for a line with the cursor at its end."""
        script = ('source <("$LANESCOPE" complete bash); lanescope() { "$LANESCOPE" "$@"; }; COMP_LINE=$1; '
                  'COMP_POINT=${#1}; _lanescope; printf "%s\\n" "${COMPREPLY[@]}"')
        return subprocess.run(["bash", "--norc", "-c", script, "bash", line], capture_output=True, text=True,
                              env={**os.environ, "LANGUAGE": "en"}, timeout=600, check=True).stdout.splitlines()

    def test_bash_completes_commands_options_and_values_behind_the_equals_sign(self):
        self.assertEqual(self.bash("lanescope docto"), ["doctor"])
        self.assertEqual(self.bash("lanescope run banks --var"), ["--variant"])
        self.assertEqual(self.bash("lanescope run banks --set stride=31"), ["31"])  # bash keeps what stands before `=`
        self.assertIn("banks", self.bash("lanescope run "))

    def test_bash_completes_names_of_files_with_blanks(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "a kernel.cu").touch()
            self.assertEqual(self.bash(f"lanescope inspect {folder}/a"), [f"{folder}/a kernel.cu"])

    def test_the_scripts_of_the_other_shells_are_read_without_an_error(self):
        for shell, words in (("zsh", ["-f", "-n"]), ("fish", ["--no-execute"])):
            if not shutil.which(shell):
                continue
            with tempfile.NamedTemporaryFile("w", suffix="." + shell) as script:
                script.write(run("complete", shell).stdout)
                script.flush()
                done = subprocess.run([shell, *words, script.name], capture_output=True, text=True, timeout=600)
                self.assertEqual((done.returncode, done.stderr), (0, ""))


class Manual(unittest.TestCase):
    def test_the_manual_has_every_command_and_every_option_once(self):
        page = run("manual").stdout
        plain = re.sub(r"\\f[BR]", "", page).replace("\\-", "-")
        commands = re.findall(r"^  lanescope (\w[\w-]*)", run("--help").stdout, re.M)
        options = plain.partition(".SH OPTIONS")[2].partition(".SH EXIT")[0]
        forms = {}  # of each option: those with which commands take it, "--on gpu|emulator|recording"
        for command in commands:
            self.assertEqual(len(re.findall(rf"^lanescope {command}( |$)", plain.partition(".SH OPTIONS")[0], re.M)), 1,
                             command)
            for option, form in re.findall(r"^ .*?(--[a-z-]+)( \S+)?", run(command, "--help").stdout, re.M):
                forms.setdefault(option, set()).add(form)
        for option in forms:
            told = len(re.findall(rf"^(-\w, )?{option}( |$)", options, re.M))
            self.assertEqual(told, len(forms[option]), option)

    def test_no_line_of_the_manual_is_taken_for_markup(self):
        for language in ("en", "ko"):
            for line in run("manual", "--lang", language).stdout.splitlines():
                if line.startswith((".", "'")):
                    self.assertRegex(line, r"^\.(TH|SH|PP|TP|br|EX|EE|nh|ad l)\b")


if __name__ == "__main__":
    unittest.main()
