/* SPDX-License-Identifier: Apache-2.0 */
#include "target/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* Of Linux 6.5; the numbers are the same on both architectures. */
enum { NEWEST_CALL = 451 };

/* The filter is built in the parent, where that is simple; the child knows its own number. */
enum { INSTRUCTIONS_MAX = 512, OWN_PLACES_MAX = 8 };
static struct sock_filter filter[INSTRUCTIONS_MAX];
static unsigned short length;
static unsigned short
    own_places[OWN_PLACES_MAX]; /* instructions that compare with the number of the process */
static int own_count;
static bool is_on;

/* ------------------------------------------------------------------ instructions */

static void add(uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false)
{
    if (length < INSTRUCTIONS_MAX)
        filter[length++] = (struct sock_filter){code, if_true, if_false, value};
}

static void load(size_t offset)
{
    add(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* Both sides are little-endian: the low half of an argument comes first. */
static void load_argument(unsigned number)
{
    load(offsetof(struct seccomp_data, args) + number * sizeof(uint64_t));
}

static void answer(uint32_t action)
{
    add(BPF_RET | BPF_K, action, 0, 0);
}

static void refuse(int error)
{
    answer(SECCOMP_RET_ERRNO | (uint32_t)error);
}

/* The number of the call is loaded whenever a rule begins. */
static void deny(long call, int error)
{
    add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1);
    refuse(error);
}

/* Only if the argument has one of the bits. */
static void deny_bits(long call, unsigned argument, uint32_t bits)
{
    add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4);
    load_argument(argument);
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    refuse(EACCES);
    answer(SECCOMP_RET_ALLOW);
}

static void deny_value(long call, unsigned argument, uint32_t value)
{
    add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4);
    load_argument(argument);
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    refuse(EPERM);
    load(offsetof(struct seccomp_data, nr));
}

/* The first argument is a process: only 0 and the caller itself. */
static void deny_others(long call)
{
    add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 5);
    load_argument(0);
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 2, 0);
    own_places[own_count++] = length;
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
    refuse(EPERM);
    answer(SECCOMP_RET_ALLOW);
}

/* ------------------------------------------------------------------ rules */

static const long file_calls[] = {
#if defined(__x86_64__) /* others have only those with "at" */
    SYS_creat,     SYS_mkdir,       SYS_rmdir,        SYS_unlink,       SYS_rename,
    SYS_link,      SYS_symlink,     SYS_mknod,        SYS_chmod,        SYS_chown,
    SYS_lchown,    SYS_utime,       SYS_utimes,       SYS_futimesat,
#endif
    SYS_renameat,  SYS_truncate,    SYS_mkdirat,      SYS_unlinkat,     SYS_renameat2,
    SYS_linkat,    SYS_symlinkat,   SYS_mknodat,      SYS_fchmod,       SYS_fchmodat,
    SYS_fchown,    SYS_fchownat,    SYS_utimensat,    SYS_setxattr,     SYS_lsetxattr,
    SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_open_by_handle_at,
    SYS_mq_open,   SYS_mq_unlink,
};

static const long other_calls[] = {
    SYS_socket,
    SYS_socketpair,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_pidfd_send_signal,
    SYS_shmget,
    SYS_msgget,
    SYS_semget,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_chroot,
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
};

/* Their arguments lie in memory, where a filter does not see them. Programs do without them on older systems. */
static const long newer_calls[] = {
#ifdef SYS_openat2
    SYS_openat2,
#endif
    SYS_io_uring_setup,
};

static void deny_all(const long *calls, size_t count, int error)
{
    for (size_t k = 0; k < count; k++)
        deny(calls[k], error);
}

static void build_filter(void)
{
    const uint32_t writes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    load(offsetof(struct seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    answer(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
    add(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); /* x32 has other numbers for the same calls */
    refuse(ENOSYS);
    deny_bits(SYS_open, 1, writes);
#endif
    add(BPF_JMP | BPF_JGE | BPF_K, NEWEST_CALL + 1, 0,
        1); /* calls of systems that are newer than this list */
    refuse(ENOSYS);
    deny_bits(SYS_openat, 2, writes);
    deny_all(file_calls, sizeof file_calls / sizeof *file_calls, EACCES);
    deny_all(other_calls, sizeof other_calls / sizeof *other_calls, EPERM);
    deny_all(newer_calls, sizeof newer_calls / sizeof *newer_calls, ENOSYS);
    deny_value(SYS_ioctl, 1, TIOCSTI);
    deny_value(SYS_ioctl, 1, (uint32_t)FS_IOC_SETFLAGS);
    deny_others(SYS_kill);
    deny_others(SYS_tgkill);
    deny_others(SYS_rt_tgsigqueueinfo);
    deny_others(SYS_prlimit64);
    answer(SECCOMP_RET_ALLOW);
}

/* ------------------------------------------------------------------ use */

bool sandbox_begin(struct diagnostic *why)
{
    const uint32_t action = SECCOMP_RET_ERRNO;
    if (is_on)
        return true;
    if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) != 0)
        return diagnostic_set(
            why, PL_CANNOT_RUN, 0, 0,
            "--sandbox: this system has no filters of system calls (seccomp): %s. A container "
            "or bubblewrap around the tool confines a program, too",
            strerror(errno));
    build_filter();
    is_on = true;
    return true;
}

/* Root without the rights of root: what capabilities allow no filter lists. */
static bool drop_capabilities(void)
{
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return syscall(SYS_capset, &head, none) == 0;
}

bool sandbox_enter(void)
{
    const struct sock_fprog program = {length, filter};
    if (!is_on)
        return true;
    for (int k = 0; k < own_count; k++)
        filter[own_places[k]].k = (uint32_t)getpid();
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && drop_capabilities() &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
