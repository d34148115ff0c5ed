#include "grade/cluster.h"
#include "base/words.h"
#include "compile/process.h"
#include "grade/task.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    TASKS_MOST = 250, /* of one array job; Slurm allows 1,000 unless its administrator set another number */
    TRIES = 3,
    LOOK_US = 500000,
    SILENCE_MOST = 600, /* seconds without an answer of Slurm, which may be started again meanwhile */
    WORDS_MOST = 32
};

struct cluster {
    struct steps *steps;
    const struct steps_student *students;
    size_t count;
    const char *folder; /* of tasks, outcomes and logs */
    struct steps_missing *missing;
    size_t missing_count;
    size_t *task_of; /* of each missing step */
    size_t task_count;
    size_t wanted; /* missing at the first try */
    double begin;
};

/* What spreads tasks. */
struct spreader {
    bool (*spread)(struct cluster *cluster, bool *cancelled, struct error *error);
    int tries;
};

static const char *inside(struct cluster *cluster, const char *name)
{
    return arena_format(cluster->steps->arena, "%s/%s", cluster->folder, name);
}

static const char *of_task(struct cluster *cluster, size_t task, const char *ending)
{
    return arena_format(cluster->steps->arena, "%s/%zu%s", cluster->folder, task, ending);
}

static bool find_program(struct arena *arena, const char *name, const char *package, const char **found,
                         struct error *error)
{
    char path[PATH_MAX];
    if (!process_find(name, path, sizeof path)) {
        error_set(error, ERROR_MISSING, "there is no %s on this computer", name);
        return error_remedy(error, "install it (Debian: %s), or grade without --on", package);
    }
    *found = arena_text(arena, path);
    return true;
}

static bool is_cancelled(const struct cluster *cluster)
{
    const atomic_bool *cancel = cluster->steps->request->cancel;
    return cancel && atomic_load(cancel);
}

/* ---- tasks ---- */

/* Takes the outcomes that lie in the folder, and keeps them. */
static void collect(struct cluster *cluster)
{
    struct arena arena = {0};
    char **names;
    size_t const count = folder_list(&arena, cluster->folder, &names);
    const char *key;
    json_t *all = json_object(), *outcome;
    for (size_t i = 0; i < count; i++)
        if (path_ends_with(names[i], TASK_DONE_ENDING))
            task_collect(arena_format(&arena, "%s/%s", cluster->folder, names[i]), cluster->steps, all);
    json_object_foreach(all, key, outcome)
    {
        struct digest digest = {""};
        if (strlen(key) == sizeof digest.text - 1 && strspn(key, "0123456789abcdef") == sizeof digest.text - 1) {
            memcpy(digest.text, key, sizeof digest.text);
            steps_keep(cluster->steps, &digest, outcome);
        }
    }
    json_object_update(cluster->steps->given, all);
    json_decref(all);
    arena_free(&arena);
}

static void sweep(struct cluster *cluster)
{
    struct arena arena = {0};
    char **names;
    size_t const count = folder_list(&arena, cluster->folder, &names);
    for (size_t i = 0; i < count; i++)
        unlink(arena_format(&arena, "%s/%s", cluster->folder, names[i]));
    arena_free(&arena);
}

/* Writes the students with missing steps as tasks. */
static bool deal(struct cluster *cluster, struct error *error)
{
    struct arena *arena = cluster->steps->arena;
    size_t *chosen = arena_array(arena, size_t, cluster->missing_count), count = 0;
    cluster->task_of = arena_array(arena, size_t, cluster->missing_count);
    for (size_t i = 0; i < cluster->missing_count; i++)
        if (!count || chosen[count - 1] != cluster->missing[i].student)
            chosen[count++] = cluster->missing[i].student;
    size_t const each = count / TASKS_MOST + 1;
    cluster->task_count = (count + each - 1) / each;
    for (size_t i = 0, at = 0; i < cluster->missing_count; i++) {
        at += chosen[at] != cluster->missing[i].student;
        cluster->task_of[i] = at / each;
    }
    bool fine = true;
    for (size_t i = 0; i < cluster->task_count && fine; i++)
        fine = task_write(of_task(cluster, i, TASK_ENDING), cluster->steps, cluster->students, chosen + i * each,
                          (i + 1) * each < count ? each : count - i * each, error);
    return fine;
}

/* Tells how many of the missing steps have come. */
static void tell(struct cluster *cluster)
{
    struct arena arena = {0};
    const struct grade_request *request = cluster->steps->request;
    size_t done = cluster->wanted - cluster->missing_count;
    if (!request->progress)
        return;
    for (size_t i = 0; i < cluster->missing_count; i++)
        done += file_exists(steps_path(&arena, cluster->steps, &cluster->missing[i].key, ".json")) ||
                file_exists(arena_format(&arena, "%s/%zu%s", cluster->folder, cluster->task_of[i], TASK_DONE_ENDING));
    double const took = clock_seconds() - cluster->begin;
    request->progress(request->context, done, cluster->wanted,
                      done ? took / (double)done * (double)(cluster->wanted - done) : -1);
    arena_free(&arena);
}

/* Returns the last line of a log, or the text for none. */
static const char *last_line(struct arena *arena, const char *path, const char *none)
{
    char *text;
    size_t size;
    if (!file_read(arena, path, &text, &size, NULL))
        return none;
    while (size && (text[size - 1] == '\n' || text[size - 1] == '\r' || text[size - 1] == ' '))
        text[--size] = '\0';
    const char *line = strrchr(text, '\n');
    return size ? words_clean(arena_text(arena, line ? line + 1 : text)) : none;
}

/* ---- Slurm ---- */

/* Runs a command of Slurm and returns its status; its output is in the arena. */
static int ask(struct cluster *cluster, const char *const *words, const char **output)
{
    const char *path = inside(cluster, "answer");
    char *text;
    int const status = process_run(words, cluster->folder, path, 60, NULL);
    *output = file_read(cluster->steps->arena, path, &text, NULL, NULL) ? text : "";
    return status;
}

/* Ends the array job whose number an earlier grading left behind. What it has kept by now counts. */
static void end_job(struct cluster *cluster)
{
    char *job, path[PATH_MAX];
    const char *answer;
    if (file_read(cluster->steps->arena, inside(cluster, "job"), &job, NULL, NULL) &&
        process_find("scancel", path, sizeof path) && *job && strspn(job, "0123456789") == strlen(job))
        ask(cluster, (const char *const[]){path, job, NULL}, &answer);
    unlink(inside(cluster, "job"));
}

static bool write_script(struct cluster *cluster, const char *path, struct error *error)
{
    const struct steps *steps = cluster->steps;
    struct arena *arena = steps->arena;
    unsigned const jobs = steps->request->jobs ? steps->request->jobs : 1;
    const char *text =
        arena_format(arena,
                     "#!/bin/sh\n"
                     "#SBATCH --job-name=lanescope\n"
                     "#SBATCH --requeue\n"
                     "#SBATCH --cpus-per-task=%u\n"
                     "exec %s grade --task \"$SLURM_ARRAY_TASK_ID" TASK_ENDING "\" -o .. --jobs %u "
                     "--lang %s\n",
                     jobs, words_shell(arena, steps->self), jobs, words_language() == WORDS_KOREAN ? "ko" : "en");
    return file_write(path, text, strlen(text), error);
}

static bool submit(struct cluster *cluster, const char **job, struct error *error)
{
    struct arena *arena = cluster->steps->arena;
    const char *sbatch, *script = inside(cluster, "job.sh"), *answer;
    if (!find_program(arena, "sbatch", "slurm-client", &sbatch, error) || !write_script(cluster, script, error))
        return false;
    const char *const words[] = {sbatch,
                                 "--parsable",
                                 "--output=%a.log",
                                 arena_format(arena, "--chdir=%s", cluster->folder),
                                 arena_format(arena, "--array=0-%zu", cluster->task_count - 1),
                                 script,
                                 NULL};
    int const status = ask(cluster, words, &answer);
    size_t const length = strspn(answer, "0123456789"); /* "12", or "12;cluster" */
    if (status != 0 || !length) {
        error_set(error, ERROR_MISSING, "Slurm does not take the job: %s",
                  last_line(arena, inside(cluster, "answer"), _("sbatch says nothing")));
        return error_remedy(error, "SBATCH_PARTITION, SBATCH_ACCOUNT and the like are passed on to sbatch");
    }
    *job = arena_text_n(arena, answer, length);
    return file_write(inside(cluster, "job"), *job, length, error);
}

static bool spread_slurm(struct cluster *cluster, bool *cancelled, struct error *error)
{
    const char *job, *squeue, *answer;
    if (!find_program(cluster->steps->arena, "squeue", "slurm-client", &squeue, error) || !submit(cluster, &job, error))
        return false;
    const char *const words[] = {squeue, "--noheader", "--format=%T", "--jobs", job, NULL};
    for (double heard = clock_seconds();;) {
        usleep(LOOK_US);
        *cancelled = is_cancelled(cluster);
        if (*cancelled)
            break;
        tell(cluster);
        int const status = ask(cluster, words, &answer);
        if (status == 0 ? !*answer : strstr(answer, "Invalid job id") != NULL)
            break; /* all tasks have ended */
        if (status == 0)
            heard = clock_seconds();
        else if (clock_seconds() - heard > SILENCE_MOST)
            return error_set(error, ERROR_MISSING, "Slurm does not answer: %s",
                             last_line(cluster->steps->arena, inside(cluster, "answer"), _("squeue says nothing")));
    }
    end_job(cluster);
    return true;
}

/* ---- ssh, by GNU parallel ---- */

/* Asks for no password, and gives up on a host that does not answer. */
static const char quiet_ssh[] =
    "PARALLEL_SSH=ssh -oBatchMode=yes -oConnectTimeout=10 -oServerAliveInterval=10 -oServerAliveCountMax=3";

/* Starts a program in the folder with both its outputs in a log, as a group of processes of its own. */
static pid_t start(const struct cluster *cluster, const char *const *words, char **environment, const char *log)
{
    pid_t const child = fork();
    if (child != 0)
        return child;
    int const in = open("/dev/null", O_RDONLY), out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (in >= 0 && out >= 0 && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(out, STDERR_FILENO) >= 0 && chdir(cluster->folder) == 0)
        execve(words[0], (char *const *)(uintptr_t)words, environment);
    _exit(127);
}

static bool spread_ssh(struct cluster *cluster, bool *cancelled, struct error *error)
{
    struct arena *arena = cluster->steps->arena;
    const struct grade_request *request = cluster->steps->request;
    const char *hosts = request->on + strlen("ssh:"), *parallel, *other;
    if (!find_program(arena, "parallel", "parallel", &parallel, error) ||
        !find_program(arena, "ssh", "openssh-client", &other, error) ||
        !find_program(arena, "rsync", "rsync", &other, error))
        return false;
    if (*hosts == '@' && !file_exists(hosts + 1))
        return error_at(error, ERROR_INPUT, hosts + 1, 0, 0, "cannot be read: %s", strerror(errno));
    /* The program lies there at the same place as here, or it is in the PATH. */
    const char *command =
        arena_format(arena,
                     "sh -c 'p=$1; test -x \"$p\" || p=lanescope; exec \"$p\" grade --task \"$2\" --jobs 1 --lang %s' "
                     "sh %s {}",
                     words_language() == WORDS_KOREAN ? "ko" : "en", words_shell(arena, cluster->steps->self));
    const char *done = "{.}" TASK_DONE_ENDING, *tries = arena_format(arena, "%d", TRIES);
    bool const in_file = *hosts == '@';
    const char *words[WORDS_MOST] = {parallel,
                                     "--plain",
                                     "--will-cite",
                                     "--retries",
                                     tries,
                                     "--cleanup",
                                     "--workdir",
                                     "...",
                                     "--transferfile",
                                     "{}",
                                     "--return",
                                     done,
                                     in_file ? "--sshloginfile" : "--sshlogin",
                                     in_file ? path_absolute(arena, hosts + 1) : hosts};
    size_t count = 14;
    if (request->jobs) {
        words[count++] = "--jobs";
        words[count++] = arena_format(arena, "%u", request->jobs);
    }
    words[count++] = command;
    words[count++] = "::::";
    words[count++] = inside(cluster, "tasks");
    char *list = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&list, &size);
    for (size_t i = 0; out && i < cluster->task_count; i++)
        fprintf(out, "%zu" TASK_ENDING "\n", i);
    bool fine = out && fclose(out) == 0 && file_write(inside(cluster, "tasks"), list, size, error);
    free(list);
    if (!fine)
        return false;
    const char *const variables[] = {getenv("PARALLEL_SSH") ? NULL : quiet_ssh, NULL};
    char **environment = process_environment(arena, variables);
    pid_t const child = start(cluster, words, environment, inside(cluster, "log"));
    if (child < 0)
        return error_set(error, ERROR_MISSING, "no process can be started: %s", strerror(errno));
    int status;
    while (waitpid(child, &status, WNOHANG) == 0) {
        usleep(LOOK_US / 5);
        tell(cluster);
        if (!*cancelled && is_cancelled(cluster)) {
            *cancelled = true;
            kill(child, SIGTERM); /* once: no new tasks; twice: those that run end, too */
            usleep(LOOK_US / 5);
            kill(child, SIGTERM);
        }
    }
    return true;
}

/* ---- all ---- */

/* Returns the log of the first task that was lost. */
static const char *log_of_lost(struct cluster *cluster)
{
    return strcmp(cluster->steps->request->on, "slurm") == 0 ? of_task(cluster, cluster->task_of[0], ".log")
                                                             : inside(cluster, "log");
}

static bool try_all(struct cluster *cluster, const struct spreader *spreader, bool *cancelled, struct error *error)
{
    size_t kept;
    const char *log = "";
    for (int i = 0; i <= spreader->tries; i++) {
        collect(cluster);
        cluster->missing =
            steps_missing(cluster->steps, cluster->students, cluster->count, &cluster->missing_count, &kept);
        if (!cluster->missing_count || *cancelled)
            return true;
        if (i == 0)
            cluster->wanted = cluster->missing_count;
        if (i == spreader->tries) {
            error_set(error, ERROR_MISSING, "%zu {step was|steps were} lost %d {time|times}: %s",
                      cluster->missing_count, TRIES, last_line(cluster->steps->arena, log, _("their log is empty")));
            return error_remedy(error, "the logs are in %s; the same command goes on", cluster->folder);
        }
        sweep(cluster);
        if (!deal(cluster, error))
            return false;
        log = log_of_lost(cluster);
        if (!spreader->spread(cluster, cancelled, error))
            return false;
    }
    return true;
}

bool cluster_do(struct steps *steps, const struct steps_student *students, size_t count, bool *cancelled,
                struct error *error)
{
    static const struct spreader slurm = {spread_slurm, TRIES}, ssh = {spread_ssh, 1};
    struct cluster cluster = {.steps = steps, .students = students, .count = count, .begin = clock_seconds()};
    const char *folder = arena_format(steps->arena, "%s/cluster", steps->request->folder);
    if (!folder_make(folder, error))
        return false;
    cluster.folder = path_absolute(steps->arena, folder);
    end_job(&cluster);
    return try_all(&cluster, strcmp(steps->request->on, "slurm") == 0 ? &slurm : &ssh, cancelled, error);
}

bool grade_on_known(const char *on)
{
    if (strcmp(on, "slurm") == 0)
        return true;
    return strncmp(on, "ssh:", 4) == 0 && on[4] && on[4] != '-' && (on[4] != '@' || on[5]);
}
