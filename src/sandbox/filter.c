/* The seccomp filter. A call that it refuses returns EPERM, so that a program can say so and go on. */
#include "sandbox/inside.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#else
#define MACHINE 0
#endif

/* In no header of older systems. They have the same numbers on all processors. */
enum { CALL_CLONE3 = 435, CALL_PIDFD_GETFD = 438, CALL_IO_URING_SETUP = 425, CALL_MOUNT_SETATTR = 442 };

static const int refused[] = {SYS_ptrace,
                              SYS_process_vm_readv,
                              SYS_process_vm_writev,
                              CALL_PIDFD_GETFD,
                              SYS_kcmp,
                              SYS_mount,
                              SYS_umount2,
                              SYS_pivot_root,
                              SYS_chroot,
                              CALL_MOUNT_SETATTR,
                              SYS_unshare,
                              SYS_setns,
                              SYS_bpf,
                              SYS_perf_event_open,
                              SYS_userfaultfd,
                              CALL_IO_URING_SETUP,
                              SYS_keyctl,
                              SYS_add_key,
                              SYS_request_key,
                              SYS_init_module,
                              SYS_finit_module,
                              SYS_delete_module,
                              SYS_kexec_load,
                              SYS_reboot,
                              SYS_swapon,
                              SYS_swapoff,
                              SYS_sethostname,
                              SYS_setdomainname,
                              SYS_acct,
                              SYS_quotactl,
                              SYS_settimeofday,
                              SYS_clock_settime,
                              SYS_syslog,
                              SYS_open_by_handle_at,
                              SYS_personality};
enum { REFUSED = sizeof refused / sizeof *refused };

#define LOAD(member)                                                                                                   \
    (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, member))
#define GIVE(action) (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, (action))
#define SKIP_UNLESS(value, count) (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, count)
#define SKIP_UNLESS_ANY(bits, count)                                                                                   \
    (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (uint32_t)(bits), 0, count)

bool sandbox_filter(void)
{
    enum {
        SPACES = CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS,
        OTHER = 24
    };
    struct sock_filter rules[OTHER + 2 * REFUSED];
    unsigned short count = 0;
    if (!MACHINE)
        return true; /* an unknown processor: the namespaces hold alone */
    rules[count++] = LOAD(arch);
    rules[count++] = SKIP_UNLESS(MACHINE, 1);
    rules[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0);
    rules[count++] = GIVE(SECCOMP_RET_KILL_PROCESS); /* calls of 32 bits have other numbers */
    rules[count++] = LOAD(nr);
#ifdef __x86_64__
    rules[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1); /* x32 */
    rules[count++] = GIVE(SECCOMP_RET_KILL_PROCESS);
#endif
    for (int i = 0; i < REFUSED; i++) {
        rules[count++] = SKIP_UNLESS(refused[i], 1);
        rules[count++] = GIVE(SECCOMP_RET_ERRNO | EPERM);
    }
    /* The filter cannot see the words of clone3; without it, libraries use clone. */
    rules[count++] = SKIP_UNLESS(CALL_CLONE3, 1);
    rules[count++] = GIVE(SECCOMP_RET_ERRNO | ENOSYS);
    rules[count++] = SKIP_UNLESS(SYS_clone, 4);
    rules[count++] = LOAD(args[0]);
    rules[count++] = SKIP_UNLESS_ANY(SPACES, 1);
    rules[count++] = GIVE(SECCOMP_RET_ERRNO | EPERM);
    rules[count++] = GIVE(SECCOMP_RET_ALLOW);
    /* Typing into the terminal of the user who started the grading. */
    rules[count++] = SKIP_UNLESS(SYS_ioctl, 3);
    rules[count++] = LOAD(args[1]);
    rules[count++] = SKIP_UNLESS(TIOCSTI, 1);
    rules[count++] = GIVE(SECCOMP_RET_ERRNO | EPERM);
    rules[count++] = GIVE(SECCOMP_RET_ALLOW);
    struct sock_fprog const program = {count, rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
