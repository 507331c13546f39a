# SPDX-License-Identifier: Apache-2.0
"""Memory that system calls read and write, made by number."""
from pairs import Group

HEAD = """#include <fcntl.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <linux/futex.h>
#define CALL(...) KEEP(syscall(__VA_ARGS__))
char buffer[256] __attribute__((aligned(16))); int pair[2] = {-1, -1}, fd = -1;
struct iovec parts[2] = {{buffer, 2}, {buffer + 8, 2}};
"""
PIPE = 'if (pipe(pair)) return 1; KEEP(write(pair[1], "abcdefgh", 8));'
EMPTY = "if (pipe(pair)) return 1;"
FILE = 'char path[] = "/tmp/pairXXXXXX"; fd = mkstemp(path); if (fd < 0) return 1; unlink(path); KEEP(write(fd, "abcdefghijkl", 12));'
SOCKETS = "if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 1; KEEP(write(pair[1], \"abcd\", 4));"

reads, writes, other = Group("system-reads"), Group("system-writes"), Group("system-other")
# The call reads what the other thread writes.
for name, call, touch, start, head in (
        ("write", "SYS_write, pair[1], buffer, 4", "buffer[3] = 1", EMPTY, ""),
        ("writev", "SYS_writev, pair[1], parts, 2", "buffer[9] = 1", EMPTY, ""),
        ("writev-list", "SYS_writev, pair[1], parts, 2", "parts[1].iov_len = 1", EMPTY, ""),
        ("pwrite64", "SYS_pwrite64, fd, buffer, 4, 0L", "buffer[3] = 1", FILE, ""),
        ("pwritev", "SYS_pwritev, fd, parts, 2, 0L, 0L", "buffer[9] = 1", FILE, ""),
        ("sendto", "SYS_sendto, pair[0], buffer, 4, 0, 0, 0", "buffer[3] = 1", SOCKETS, ""),
        ("sendmsg", "SYS_sendmsg, pair[0], &message, 0", "buffer[9] = 1", SOCKETS, "struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};"),
        ("nanosleep", "SYS_nanosleep, &t, 0", "t.tv_nsec = 2", "", "struct timespec t = {0, 1};"),
        ("clock_nanosleep", "SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &t, 0", "t.tv_nsec = 2", "", "struct timespec t = {0, 1};"),
        ("openat", "SYS_openat, AT_FDCWD, name, O_RDONLY", "name[6] = 'u'", "", 'char name[] = "/dev/null";'),
        ("faccessat", "SYS_faccessat, AT_FDCWD, name, 0", "name[6] = 'u'", "", 'char name[] = "/dev/null";'),
        ("mkdirat", "SYS_mkdirat, AT_FDCWD, name, 0700", "name[6] = 'u'", "", 'char name[] = "/dev/null";'),
        ("setrlimit", "SYS_setrlimit, RLIMIT_CORE, &l", "l.rlim_cur = 0", "", "struct rlimit l;"),
        ("prlimit64", "SYS_prlimit64, 0, RLIMIT_CORE, &l, 0", "l.rlim_cur = 0", "", "struct rlimit l;"),
        ("setsockopt", "SYS_setsockopt, pair[0], SOL_SOCKET, SO_RCVBUF, &size, sizeof size", "size = 4096", SOCKETS, "int size = 8192;"),
        ("timerfd_settime", "SYS_timerfd_settime, fd, 0, &t, 0", "t.it_value.tv_nsec = 1", "fd = timerfd_create(CLOCK_MONOTONIC, 0);", "struct itimerspec t = {{0, 0}, {10, 0}};"),
        ("epoll_ctl", "SYS_epoll_ctl, fd, EPOLL_CTL_ADD, pair[0], &e", "e.data.u32 = 4", "fd = epoll_create1(0); " + PIPE, "struct epoll_event e = {.events = EPOLLIN};"),
        ("rt_sigprocmask", "SYS_rt_sigprocmask, SIG_BLOCK, &set, 0, 8L", "sigaddset(&set, 30)", "", "sigset_t set;"),
        ("futex", "SYS_futex, &word, FUTEX_WAIT, 1, 0, 0, 0", "word = 2", "", "int word = 2;"),
        ("utimensat", "SYS_utimensat, fd, 0, t, 0", "t[1].tv_sec = 3", FILE, "struct timespec t[2];"),
        ("execve-path", "SYS_readlinkat, AT_FDCWD, name, buffer, 64", "name[6] = 'u'", "", 'char name[] = "/proc/self/exe";')):
    reads.race(name.replace("execve-path", "readlinkat"), f"CALL({call})", touch, head=HEAD + head, start=start)
# The call writes what the other thread reads.
for name, call, touch, start, head in (
        ("read", "SYS_read, pair[0], buffer, 4", "buffer[3]", PIPE, ""),
        ("readv", "SYS_readv, pair[0], parts, 2", "buffer[9]", PIPE, ""),
        ("pread64", "SYS_pread64, fd, buffer, 4, 0L", "buffer[3]", FILE, ""),
        ("preadv", "SYS_preadv, fd, parts, 2, 0L, 0L", "buffer[9]", FILE, ""),
        ("preadv2", "SYS_preadv2, fd, parts, 2, 0L, 0L, 0", "buffer[9]", FILE, ""),
        ("recvfrom", "SYS_recvfrom, pair[0], buffer, 4L, 0L, NULL, NULL", "buffer[3]", SOCKETS, ""),
        ("recvmsg", "SYS_recvmsg, pair[0], &message, 0", "buffer[1]", SOCKETS, "struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};"),
        ("uname", "SYS_uname, &u", "u.machine[0]", "", "struct utsname u;"),
        ("getcwd", "SYS_getcwd, buffer, 256L", "buffer[0]", "", ""),
        ("getrandom", "SYS_getrandom, buffer, 8, 0", "buffer[7]", "", ""),
        ("clock_gettime", "SYS_clock_gettime, CLOCK_MONOTONIC, &t", "t.tv_sec", "", "struct timespec t;"),
        ("clock_getres", "SYS_clock_getres, CLOCK_MONOTONIC, &t", "t.tv_nsec", "", "struct timespec t;"),
        ("gettimeofday", "SYS_gettimeofday, &t, 0", "t.tv_sec", "", "struct timeval t;"),
        ("fstat", "SYS_fstat, fd, &s", "s.st_size", FILE, "struct stat s;"),
        ("newfstatat", "SYS_newfstatat, AT_FDCWD, \"/\", &s, 0", "s.st_mode", "", "struct stat s;"),
        ("stat", "SYS_stat, \"/\", &s", "s.st_mode", "", "struct stat s;"),
        ("lstat", "SYS_lstat, \"/\", &s", "s.st_mode", "", "struct stat s;"),
        ("statx", "SYS_statx, AT_FDCWD, \"/\", 0, STATX_BASIC_STATS, &s", "s.stx_mode", "", "struct statx s;"),
        ("statfs", "SYS_statfs, \"/\", &s", "s.f_bsize", "", "struct statfs s;"),
        ("fstatfs", "SYS_fstatfs, fd, &s", "s.f_bsize", FILE, "struct statfs s;"),
        ("pipe2", "SYS_pipe2, pair, 0", "pair[1]", "", ""),
        ("pipe", "SYS_pipe, pair", "pair[1]", "", ""),
        ("socketpair", "SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, pair", "pair[1]", "", ""),
        ("getrlimit", "SYS_getrlimit, RLIMIT_CORE, &l", "l.rlim_max", "", "struct rlimit l;"),
        ("prlimit64", "SYS_prlimit64, 0, RLIMIT_CORE, 0, &l", "l.rlim_max", "", "struct rlimit l;"),
        ("sysinfo", "SYS_sysinfo, &s", "s.totalram", "", "struct sysinfo s;"),
        ("getdents64", "SYS_getdents64, fd, buffer, 256", "buffer[0]", 'fd = open("/", O_RDONLY | O_DIRECTORY);', ""),
        ("prctl", "SYS_prctl, PR_GET_NAME, buffer", "buffer[0]", "", ""),
        ("prctl-set", "SYS_prctl, PR_SET_NAME, buffer", "buffer[0] = 'a'", "", ""),
        ("fcntl", "SYS_fcntl, fd, F_GETLK, &l", "l.l_type", FILE, "struct flock l = {.l_type = F_RDLCK};"),
        ("getrusage", "SYS_getrusage, RUSAGE_SELF, &u", "u.ru_maxrss", "", "struct rusage u;"),
        ("times", "SYS_times, &t", "t.tms_utime", "", "struct tms t;"),
        ("getcpu", "SYS_getcpu, &cpu, 0, 0", "cpu", "", "unsigned cpu;"),
        ("sched_getaffinity", "SYS_sched_getaffinity, 0, 128L, &set", "CPU_COUNT(&set)", "", "cpu_set_t set;"),
        ("getresuid", "SYS_getresuid, id, id + 1, id + 2", "id[2]", "", "unsigned id[3];"),
        ("getgroups", "SYS_getgroups, 64, groups", "groups[0]", "setgroup", "unsigned groups[64];"),
        ("readlinkat", "SYS_readlinkat, AT_FDCWD, \"/proc/self/exe\", buffer, 64L", "buffer[0]", "", ""),
        ("poll", "SYS_poll, &p, 1, 0", "p.revents", PIPE + " p.fd = pair[0];", "struct pollfd p = {-1, POLLIN, 0};"),
        ("ppoll", "SYS_ppoll, &p, 1, &t, 0, 0", "p.revents", PIPE + " p.fd = pair[0];", "struct pollfd p = {-1, POLLIN, 0}; struct timespec t;"),
        ("rt_sigprocmask", "SYS_rt_sigprocmask, SIG_BLOCK, 0, &set, 8L", "sigismember(&set, 3)", "", "sigset_t set;"),
        ("rt_sigaction", "SYS_rt_sigaction, SIGUSR1, 0, buffer, 8L", "buffer[0]", "", ""),
        ("rt_sigpending", "SYS_rt_sigpending, &set, 8L", "sigismember(&set, 3)", "", "sigset_t set;"),
        ("time", "SYS_time, &t", "t", "", "time_t t;"),
        ("getsockname", "SYS_getsockname, pair[0], buffer, &length", "buffer[0]", SOCKETS, "socklen_t length = 64;"),
        ("getsockname-length", "SYS_getsockname, pair[0], buffer, &length", "length", SOCKETS, "socklen_t length = 64;"),
        ("getsockopt", "SYS_getsockopt, pair[0], SOL_SOCKET, SO_TYPE, &value, &length", "value", SOCKETS, "int value; socklen_t length = 4;"),
        ("timerfd_gettime", "SYS_timerfd_gettime, fd, &t", "t.it_value.tv_sec", "fd = timerfd_create(CLOCK_MONOTONIC, 0);", "struct itimerspec t;"),
        ("getitimer", "SYS_getitimer, ITIMER_REAL, &t", "t.it_value.tv_sec", "", "struct itimerval t;"),
        ("mincore", "SYS_mincore, page, 4096L, buffer", "buffer[0]", "page = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);", "void *page;"),
        ("sched_getparam", "SYS_sched_getparam, 0, &p", "p.sched_priority", "", "struct sched_param p;"),
        ("epoll_wait", "SYS_epoll_wait, fd, &e, 1, 0", "e.data.u32", "fd = epoll_create1(0); " + PIPE + " struct epoll_event w = {.events = EPOLLIN}; epoll_ctl(fd, EPOLL_CTL_ADD, pair[0], &w);", "struct epoll_event e;"),
        ("capget", "SYS_capget, header, data", "data[0]", "", "unsigned header[2] = {0x20080522, 0}, data[6];"),
        ("get_robust_list", "SYS_get_robust_list, 0, &list, &size", "size", "", "void *list; size_t size;")):
    if name == "getgroups":
        continue  # who runs the tests may be in none
    writes.race(name, f"CALL({call})", f"KEEP({touch})", head=HEAD + head, start=start)

MAP = "page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);"
MAPPED = HEAD + "static char *page;\n"
other.add("munmap", MAPPED + "int main(void) { " + MAP + " page[1] = 1; $CALL(SYS_munmap, page, 8192L);$$ KEEP(page[1]); return 0; }")
other.add("munmap-part", MAPPED + "int main(void) { " + MAP + " page[1] = 1; CALL(SYS_munmap, page + 4096, 4096L); KEEP(page[$4096$1$]); return 0; }")
other.add("munmap-race", MAPPED + """
static void *reader(void *p) { KEEP(*(char *)p); return 0; }
int main(void) { pthread_t t; """ + MAP + """ page[1] = 1; pthread_create(&t, 0, reader, page + 1); $$pthread_join(t, 0);$ CALL(SYS_munmap, page, 8192L); $pthread_join(t, 0);$$ return 0; }""")
other.add("mremap", MAPPED + "int main(void) { " + MAP + " char *moved = (char *)syscall(SYS_mremap, page, 8192L, 4096L, 0); page[1] = 1; KEEP(moved[$4096$1$]); return 0; }")
other.add("mprotect", MAPPED + "int main(void) { " + MAP + " page[1] = 1; CALL(SYS_mprotect, page, 4096L, $PROT_READ$PROT_READ | PROT_WRITE$); page[2] = 1; return 0; }")
other.add("madvise", MAPPED + """#include <assert.h>
int main(void) { """ + MAP + """ page[1] = 1; $CALL(SYS_madvise, page, 8192L, MADV_DONTNEED);$$ assert(page[1] == 1); return 0; }""")
other.add("read-past-block", HEAD + "int main(void) { " + PIPE + " char *p = malloc(4); CALL(SYS_read, pair[0], p, $5L$4L$); free(p); return 0; }")
other.add("read-into-freed", HEAD + "int main(void) { " + PIPE + " char *p = malloc(4); $free(p);$$ CALL(SYS_read, pair[0], p, 4L); $$free(p);$ return 0; }")
other.add("write-past-block", HEAD + "int main(void) { " + EMPTY + " char *p = calloc(1, 4); CALL(SYS_write, pair[1], p, $5L$4L$); free(p); return 0; }")
other.add("uname-into-small", HEAD + "int main(void) { struct utsname *p = malloc(sizeof *p$ - 1$$); CALL(SYS_uname, p); free(p); return 0; }")
other.add("getrandom-past-block", HEAD + "int main(void) { char *p = malloc(4); CALL(SYS_getrandom, p, $8L$4L$, 0); free(p); return 0; }")
other.add("pread-past-block", HEAD + "int main(void) { " + FILE + " char *p = malloc(4); CALL(SYS_pread64, fd, p, $8L$4L$, 0L); free(p); return 0; }")
other.add("readv-past-block", HEAD + "int main(void) { " + PIPE + " char *p = malloc(4); struct iovec v = {p, $5$4$}; CALL(SYS_readv, pair[0], &v, 1); free(p); return 0; }")
other.add("futex-lost", HEAD + """
static int word; static void *waker(void *unused) { (void)unused; __atomic_store_n(&word, 1, 5); $$CALL(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);$ return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, waker, 0); while (!__atomic_load_n(&word, 5)) CALL(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0); pthread_join(t, 0); return 0; }""")
other.add("clock-into-freed", HEAD + "int main(void) { struct timespec *p = malloc(sizeof *p); $free(p);$$ CALL(SYS_clock_gettime, CLOCK_MONOTONIC, p); $$free(p);$ return 0; }")

other.add("getcwd-fails", HEAD + """
static void *reader(void *unused) { (void)unused; KEEP(buffer[0]); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, reader, 0); CALL(SYS_getcwd, buffer, $256L$1L$); pthread_join(t, 0); return 0; }""")
other.add("mapped-by-number", MAPPED + """
static void *reader(void *unused) { (void)unused; KEEP(page[1]); return 0; }
int main(void) {
    pthread_t t; page = (char *)syscall(SYS_mmap, 0, 8192L, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
    pthread_create(&t, 0, reader, 0); $page[1]$page[2]$ = 1; pthread_join(t, 0); CALL(SYS_munmap, page, 8192L); return 0;
}""")
other.add("mask-on-heap", HEAD + "int main(void) { long *p = calloc(1, sizeof *p); CALL(SYS_rt_sigprocmask, SIG_BLOCK, p, 0, $16L$8L$); $KEEP(p[1]);$$ free(p); return 0; }")
other.add("mincore", MAPPED + "int main(void) { " + MAP + " unsigned char *p = malloc($1$2$); CALL(SYS_mincore, page, 8192L, p); free(p); return 0; }")

groups = [reads, writes, other]
