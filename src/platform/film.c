/* MP4 and WebM, by the program ffmpeg as a child process without a shell. It gets the frames as pixels through a pipe
 * and writes beside the file, which is replaced when the film is whole. */
#include "base/file.h"
#include "base/output.h"
#include "platform/picture.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FRAMES_A_SECOND = 20, HUNDREDTHS = 100 / FRAMES_A_SECOND, WORDS_MOST = 48 };

struct film {
    struct output output;
    bool opened;
    int width, height;
    pid_t child;
    int pixels;             /* the end of the pipe that the child reads */
    struct sigaction usual; /* what a broken pipe did before */
};

static void forget(struct film **out)
{
    struct film *film = *out;
    if (film->pixels >= 0)
        close(film->pixels);
    if (film->opened)
        output_drop(&film->output);
    sigaction(SIGPIPE, &film->usual, NULL);
    free(film);
    *out = NULL;
}

/* Starts ffmpeg. Returns 0, or the number of the error. */
static int start_program(struct film *film, const char *const *codec)
{
    char size[32], rate[8], to[sizeof film->output.beside + 8];
    snprintf(size, sizeof size, "%dx%d", film->width, film->height);
    snprintf(rate, sizeof rate, "%d", FRAMES_A_SECOND);
    snprintf(to, sizeof to, "file:%s", film->output.beside);
    /* most players want an even number of pixels, colours at half the resolution, and in doubt those of HD video */
    const char *const head[] = {"ffmpeg",
                                "-v",
                                "error",
                                "-f",
                                "rawvideo",
                                "-pix_fmt",
                                "bgra",
                                "-s",
                                size,
                                "-r",
                                rate,
                                "-i",
                                "pipe:0",
                                "-vf",
                                "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv",
                                "-pix_fmt",
                                "yuv420p",
                                "-colorspace",
                                "bt709",
                                "-color_primaries",
                                "bt709",
                                "-color_trc",
                                "bt709",
                                "-color_range",
                                "tv"};
    const char *words[WORDS_MOST] = {0};
    size_t count = 0;
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        words[count++] = head[i];
    for (size_t i = 0; codec[i]; i++)
        words[count++] = codec[i];
    words[count++] = "-y";
    words[count] = to;
    int ends[2], code = ENOMEM;
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    if (posix_spawn_file_actions_init(&actions) == 0) {
        if (posix_spawn_file_actions_adddup2(&actions, ends[0], 0) == 0 &&
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) == 0 &&
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) == 0)
            code = posix_spawnp(&film->child, words[0], &actions, NULL, (char *const *)words, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[0]);
    film->pixels = ends[1];
    return code;
}

static bool start(struct film **out, const struct picture *picture, const char *path, const char *const *codec,
                  struct error *error)
{
    struct film *film = *out = calloc(1, sizeof *film);
    if (!film)
        return error_set(error, ERROR_MISSING, "no memory for a film");
    film->width = picture->width;
    film->height = picture->height;
    film->pixels = -1;
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, &film->usual);
    if (!output_open(&film->output, path, error)) {
        forget(out);
        return false;
    }
    film->opened = true;
    if (!output_hand_over(&film->output, error)) {
        film->opened = false;
        forget(out);
        return false;
    }
    int const code = start_program(film, codec);
    if (code == 0)
        return true;
    forget(out);
    if (code != ENOENT)
        return error_set(error, ERROR_MISSING, "ffmpeg cannot be started: %s", strerror(code));
    error_set(error, ERROR_MISSING, "%s needs the program ffmpeg, which is not installed", path);
    return error_remedy(error, "install the package ffmpeg, or save the animation as .gif");
}

/* Waits for ffmpeg. Returns whether it wrote the whole film. */
static bool end_program(struct film *film)
{
    int status = 0;
    close(film->pixels);
    film->pixels = -1;
    while (waitpid(film->child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool failed(struct film **out, struct error *error)
{
    error_set(error, ERROR_INPUT, "ffmpeg did not write %s; try another place, or .gif", (*out)->output.path);
    forget(out);
    return false;
}

static bool add_frame(struct film **out, const struct picture *picture, int hundredths, const char *path,
                      const char *const *codec, struct error *error)
{
    if (!*out && !start(out, picture, path, codec, error))
        return false;
    struct film *film = *out;
    bool good = picture->width == film->width && picture->height == film->height;
    int const times = hundredths > HUNDREDTHS ? (hundredths + HUNDREDTHS / 2) / HUNDREDTHS : 1;
    for (int i = 0; i < times && good; i++)
        good = file_put(film->pixels, picture->pixels, (size_t)film->width * (size_t)film->height * 4);
    if (good)
        return true;
    end_program(film);
    return failed(out, error);
}

static bool finish(struct film **out, struct error *error)
{
    struct film *film = *out;
    if (!end_program(film))
        return failed(out, error);
    bool const kept = output_keep(&film->output, error);
    film->opened = false;
    forget(out);
    return kept;
}

/* ffmpeg sees its input end; what it makes of the part is removed. */
static void drop(struct film **out)
{
    end_program(*out);
    forget(out);
}

static bool add_to_mp4(struct film **out, const struct picture *picture, int hundredths, const char *path,
                       struct error *error)
{
    static const char *const codec[] = {"-c:v",      "libx264",    "-preset", "medium", "-crf", "18",
                                        "-movflags", "+faststart", "-f",      "mp4",    NULL};
    return add_frame(out, picture, hundredths, path, codec, error);
}

static bool add_to_webm(struct film **out, const struct picture *picture, int hundredths, const char *path,
                        struct error *error)
{
    static const char *const codec[] = {"-c:v",    "libvpx-vp9", "-b:v",     "0",         "-crf",
                                        "24",      "-deadline",  "realtime", "-cpu-used", "8",
                                        "-row-mt", "1",          "-f",       "webm",      NULL};
    return add_frame(out, picture, hundredths, path, codec, error);
}

const struct picture_format picture_format_mp4 = {
    .ending = ".mp4", .add_frame = add_to_mp4, .finish = finish, .drop = drop};
const struct picture_format picture_format_webm = {
    .ending = ".webm", .add_frame = add_to_webm, .finish = finish, .drop = drop};
