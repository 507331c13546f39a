/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of sandbox_filter.c: which system calls a program may make. For that file and its test only. */
#ifndef TARGET_SANDBOX_CALLS_H
#define TARGET_SANDBOX_CALLS_H

#include <asm/ioctls.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/ioprio.h>
#include <linux/prctl.h>
#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>

/* ------------------------------------------------------------------ what is permitted */

/* They change nothing but the process itself, its children, and what it has open: which is nothing that belongs to others. */
static const long permitted[] = {
    /* memory */
    SYS_brk,
    SYS_mmap,
    SYS_munmap,
    SYS_mprotect,
    SYS_mremap,
    SYS_madvise,
    SYS_msync,
    SYS_mincore,
    SYS_mlock,
    SYS_mlock2,
    SYS_munlock,
    SYS_mlockall,
    SYS_munlockall,
    SYS_pkey_alloc,
    SYS_pkey_free,
    SYS_pkey_mprotect,
    SYS_memfd_create,
    SYS_membarrier,
    SYS_mbind,
    SYS_get_mempolicy,
    SYS_set_mempolicy,
    /* files that are open */
    SYS_read,
    SYS_pread64,
    SYS_readv,
    SYS_preadv,
    SYS_preadv2,
    SYS_write,
    SYS_pwrite64,
    SYS_writev,
    SYS_pwritev,
    SYS_pwritev2,
    SYS_lseek,
    SYS_close,
    SYS_close_range,
    SYS_dup,
    SYS_dup3,
    SYS_pipe2,
    SYS_eventfd2,
    SYS_signalfd4,
    SYS_timerfd_create,
    SYS_timerfd_settime,
    SYS_timerfd_gettime,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_epoll_pwait2,
    SYS_ppoll,
    SYS_pselect6,
    SYS_fstat,
    SYS_fstatfs,
    SYS_getdents64,
    SYS_fadvise64,
    SYS_readahead,
    SYS_fsync,
    SYS_fdatasync,
    SYS_ftruncate,
    SYS_fallocate,
    SYS_sendfile,
    SYS_copy_file_range,
    SYS_splice,
    SYS_tee,
    SYS_vmsplice,
    SYS_fgetxattr,
    SYS_flistxattr,
    /* names of files */
    SYS_newfstatat,
    SYS_statx,
    SYS_statfs,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_readlinkat,
    SYS_getcwd,
    SYS_chdir,
    SYS_fchdir,
    SYS_umask,
    SYS_getxattr,
    SYS_lgetxattr,
    SYS_listxattr,
    SYS_llistxattr,
    SYS_inotify_init1,
    SYS_inotify_add_watch,
    SYS_inotify_rm_watch,
    /* threads and processes */
    SYS_execve,
    SYS_execveat,
    SYS_exit,
    SYS_exit_group,
    SYS_wait4,
    SYS_waitid,
    SYS_set_tid_address,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_futex,
    SYS_futex_waitv,
    SYS_sched_yield,
    SYS_setsid,
    SYS_setpgid,
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_getpgid,
    SYS_getsid,
    SYS_getcpu,
    SYS_personality,
    SYS_restart_syscall,
    /* signals that it gets */
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigpending,
    SYS_rt_sigtimedwait,
    SYS_rt_sigsuspend,
    SYS_sigaltstack,
    /* time */
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_times,
    SYS_setitimer,
    SYS_getitimer,
    SYS_timer_create,
    SYS_timer_settime,
    SYS_timer_gettime,
    SYS_timer_getoverrun,
    SYS_timer_delete,
    /* users: without capabilities it can only become what it is */
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getresuid,
    SYS_getresgid,
    SYS_getgroups,
    SYS_setuid,
    SYS_setgid,
    SYS_setreuid,
    SYS_setregid,
    SYS_setresuid,
    SYS_setresgid,
    SYS_setfsuid,
    SYS_setfsgid,
    SYS_capget,
    SYS_capset,
    /* what there is to know, of others too */
    SYS_uname,
    SYS_sysinfo,
    SYS_getrandom,
    SYS_getrusage,
    SYS_getrlimit,
    SYS_setrlimit,
    SYS_getpriority,
    SYS_ioprio_get,
    SYS_sched_getaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_getattr,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_sched_rr_get_interval,
#if defined(__x86_64__) /* others have only the newer form of each */
    SYS_dup2,
    SYS_pipe,
    SYS_eventfd,
    SYS_signalfd,
    SYS_epoll_create,
    SYS_epoll_wait,
    SYS_poll,
    SYS_select,
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_getdents,
    SYS_inotify_init,
    SYS_fork,
    SYS_vfork,
    SYS_getpgrp,
    SYS_pause,
    SYS_alarm,
    SYS_time,
    SYS_arch_prctl,
#endif
};

/* ------------------------------------------------------------------ what is permitted with some arguments */

/* An argument must be one of these. */
static const uint32_t fcntl_commands[] = {
    F_DUPFD,     F_DUPFD_CLOEXEC, F_GETFD,    F_SETFD,      F_GETFL,      F_GETLK,     F_OFD_GETLK, F_GETOWN,
    F_GETOWN_EX, F_GETSIG,        F_GETLEASE, F_SETPIPE_SZ, F_GETPIPE_SZ, F_ADD_SEALS, F_GET_SEALS,
};

static const uint32_t ioctl_requests[] = {
    TCGETS,   0x802c542a /* TCGETS2 */, TIOCGWINSZ, TIOCGPGRP, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX, FIOQSIZE,
    FIGETBSZ,
};

/* Those that set something do so for the process or the thread that calls. */
static const uint32_t prctl_options[] = {
    PR_SET_PDEATHSIG,
    PR_GET_PDEATHSIG,
    PR_GET_DUMPABLE,
    PR_SET_DUMPABLE,
    PR_SET_NAME,
    PR_GET_NAME,
    PR_GET_SECCOMP,
    PR_CAPBSET_READ,
    PR_SET_TIMERSLACK,
    PR_GET_TIMERSLACK,
    PR_GET_CHILD_SUBREAPER,
    PR_SET_NO_NEW_PRIVS,
    PR_GET_NO_NEW_PRIVS,
    PR_GET_TID_ADDRESS,
    PR_SET_THP_DISABLE,
    PR_GET_THP_DISABLE,
    PR_SET_PTRACER,
    PR_SVE_SET_VL,
    PR_SVE_GET_VL,
    PR_PAC_RESET_KEYS,
    PR_SET_TAGGED_ADDR_CTRL,
    PR_GET_TAGGED_ADDR_CTRL,
    0x53564d41 /* PR_SET_VMA: names of memory */,
};

static const uint32_t this_process[] = {PRIO_PROCESS}, this_for_io[] = {IOPRIO_WHO_PROCESS};

/* Threads and processes, but none in a namespace of its own, and none that is a child of the tool. */
static const uint32_t clone_refused = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                      CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_PARENT;

static const uint32_t open_refused = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;

/* The first of them that is a process: 0 or the caller's own. The others are set for it alone. */
static const long own_only[] = {SYS_prlimit64,      SYS_sched_setaffinity, SYS_sched_setscheduler,
                                SYS_sched_setparam, SYS_sched_setattr,     SYS_get_robust_list};

static const long signals[] = {SYS_kill, SYS_tgkill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo};

/* ------------------------------------------------------------------ how the others are refused */

/* Of files, as a file system that cannot be written does it. */
static const long file_calls[] = {
#if defined(__x86_64__)
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

/* As to somebody who may not. All that is in no list does not exist for the program: it uses something older. */
static const long other_calls[] = {
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_sendto,
    SYS_sendmsg,
    SYS_sendmmsg,
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_recvmmsg,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_shmget,
    SYS_shmat,
    SYS_shmctl,
    SYS_shmdt,
    SYS_msgget,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_msgctl,
    SYS_semget,
    SYS_semop,
    SYS_semtimedop,
    SYS_semctl,
    SYS_mq_timedsend,
    SYS_mq_timedreceive,
    SYS_mq_notify,
    SYS_mq_getsetattr,
    SYS_flock,
    SYS_setgroups,
    SYS_setns,
    SYS_unshare,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_userfaultfd,
    SYS_fanotify_init,
    SYS_fanotify_mark,
    SYS_quotactl,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_acct,
    SYS_syslog,
    SYS_vhangup,
    SYS_sync,
    SYS_syncfs,
    SYS_migrate_pages,
    SYS_move_pages,
    SYS_seccomp,
    SYS_pidfd_send_signal,
#if defined(__x86_64__)
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
#endif
};

#endif
