/* The namespaces of a sandbox, and the system of files in it: the host's programs and libraries, which can only be
 * read, a few devices, its own /proc, and one folder in memory that can be written. Nothing else of the host is there.
 */
#include "sandbox/inside.h"
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NOBODY = 65534 }; /* the user that root becomes; it owns nothing on a usual system */

/* The kernel's struct mount_attr, which older headers lack. */
struct attributes {
    uint64_t set, clear, propagation, user;
};
enum { CALL_MOUNT_SETATTR = 442, MAKE_READ_ONLY = 1 /* MOUNT_ATTR_RDONLY */, NO_SETUID = 2, WHOLE_TREE = 0x8000 };

static bool failed(char *why, size_t size, const char *what)
{
    snprintf(why, size, "%s: %s", what, strerror(errno));
    return false;
}

static bool put(const char *path, const char *text)
{
    int const file = open(path, O_WRONLY | O_CLOEXEC);
    bool const fine = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return fine;
}

/* Gives a new user namespace this user alone, under the same number. */
static bool map_user(uid_t user, gid_t group)
{
    char text[64];
    prctl(PR_SET_DUMPABLE,
          1); /* after a change of the user, the files of /proc/self are root's; nothing runs here yet */
    snprintf(text, sizeof text, "%u %u 1", user, user);
    bool const users = put("/proc/self/uid_map", text);
    put("/proc/self/setgroups", "deny");
    snprintf(text, sizeof text, "%u %u 1", group, group);
    return users && put("/proc/self/gid_map", text);
}

bool sandbox_leave(char *why, size_t size)
{
    uid_t const user = geteuid();
    gid_t const group = getegid();
    int const spaces = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
    if (unshare(spaces | (user ? CLONE_NEWUSER : 0)) != 0)
        return failed(why, size, "unshare");
    if (user && !map_user(user, group))
        return failed(why, size, "uid_map");
    return true;
}

bool sandbox_drop(char *why, size_t size)
{
    if (geteuid() != 0)
        return true; /* an ordinary user: starting the command takes the rights within the namespace away */
    if (setgroups(0, NULL) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0)
        return failed(why, size, "setresuid");
    /* In a user namespace of its own, the number of processes is counted apart from other sandboxes. */
    return (unshare(CLONE_NEWUSER) == 0 && map_user(NOBODY, NOBODY)) || failed(why, size, "unshare");
}

/* Makes the folders above a path, and the path itself as a folder or as an empty file. */
static bool make_place(const char *path, bool folder)
{
    char part[PATH_MAX];
    if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part)
        return false;
    for (char *slash = part + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        if (mkdir(part, 0755) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    if (folder)
        return mkdir(path, 0755) == 0 || errno == EEXIST;
    int const file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (file >= 0)
        close(file);
    return file >= 0 || errno == EEXIST;
}

/* Shows a file or a folder of the host at the same path, to be read. What is not there stays away. */
static bool show(const char *path, bool read_only)
{
    char from[PATH_MAX];
    struct stat found, there;
    if (snprintf(from, sizeof from, "/host%s", path) >= (int)sizeof from || lstat(from, &found) != 0)
        return true;
    if (S_ISLNK(found.st_mode)) { /* /bin, which is usr/bin */
        char to[PATH_MAX];
        ssize_t const length = readlink(from, to, sizeof to - 1);
        if (length <= 0)
            return true;
        to[length] = '\0';
        if (lstat(path, &there) == 0)
            return true;
        return make_place(path, false) && unlink(path) == 0 && symlink(to, path) == 0;
    }
    struct attributes const attributes = {.set = NO_SETUID | (read_only ? MAKE_READ_ONLY : 0)};
    return make_place(path, S_ISDIR(found.st_mode)) && mount(from, path, NULL, MS_BIND | MS_REC, NULL) == 0 &&
           syscall(CALL_MOUNT_SETATTR, AT_FDCWD, path, WHOLE_TREE, &attributes, sizeof attributes) == 0;
}

/* Puts an empty folder over one that is shown. */
static bool hide(const char *path)
{
    struct stat found;
    return !path || lstat(path, &found) != 0 ||
           mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV | MS_RDONLY, "mode=0555,size=4k") == 0;
}

/* The part of the system that compilers and programs need. No /etc but for the names of libraries, no homes. */
static bool show_system(const struct sandbox_request *request)
{
    static const char *const parts[] = {"/usr",
                                        "/bin",
                                        "/sbin",
                                        "/lib",
                                        "/lib32",
                                        "/lib64",
                                        "/libx32",
                                        "/etc/alternatives",
                                        "/etc/ld.so.cache",
                                        "/etc/ld.so.conf",
                                        "/etc/ld.so.conf.d"};
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!show(parts[i], true))
            return false;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (!show(devices[i], false))
            return false;
    for (const char *const *path = request->visible; path && *path; path++)
        if (strncmp(*path, "/usr/", 5) != 0 && !show(*path, true))
            return false;
    return hide(request->hidden);
}

/* Mounts the folder: memory with limits, which the command's user owns. */
static bool mount_folder(const struct sandbox_limits *limits)
{
    char words[160];
    uid_t const user = geteuid() ? geteuid() : NOBODY;
    gid_t const group = geteuid() ? getegid() : NOBODY;
    snprintf(words, sizeof words, "mode=0700,size=%llu,nr_inodes=%u,uid=%u,gid=%u", (unsigned long long)limits->disk,
             limits->files, user, group);
    return (mkdir(SANDBOX_FOLDER, 0755) == 0 || errno == EEXIST) &&
           mount("tmpfs", SANDBOX_FOLDER, "tmpfs", MS_NOSUID | MS_NODEV, words) == 0;
}

bool sandbox_build(const struct sandbox_request *request, char *why, size_t size)
{
    /* The new root is mounted over /tmp, which is everywhere. The old one lies in its folder host until the end. */
    umask(022);
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return failed(why, size, "mount");
    if (mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=4m") != 0)
        return failed(why, size, "tmpfs");
    if (mkdir("/tmp/host", 0755) != 0 || syscall(SYS_pivot_root, "/tmp", "/tmp/host") != 0 || chdir("/") != 0)
        return failed(why, size, "pivot_root");
    if (!show_system(request))
        return failed(why, size, "bind");
    if (mkdir("/proc", 0755) != 0 || mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0)
        return failed(why, size, "proc");
    if (!mount_folder(&request->limits))
        return failed(why, size, "tmpfs");
    /* /tmp is there already if something visible lies in it, such as Lanescope itself. Then $TMPDIR alone is writable.
     */
    if ((symlink(SANDBOX_FOLDER "/tmp", "/tmp") != 0 && errno != EEXIST) || umount2("/host", MNT_DETACH) != 0 ||
        rmdir("/host") != 0 ||
        mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) != 0)
        return failed(why, size, "root");
    sethostname("sandbox", 7);
    return true;
}
