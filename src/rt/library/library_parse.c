/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the table (library.h) as data. */
#include "base/check.h"
#include "base/vec.h"
#include "engine/memory/objects.h"
#include "rt/hook.h"
#include "rt/library/library.h"
#include "rt/system/outside.h"

#include <aio.h>
#include <arpa/inet.h>
#include <complex.h>
#include <dirent.h>
#include <fenv.h>
#include <fts.h>
#include <grp.h>
#include <ifaddrs.h>
#include <link.h>
#include <mntent.h>
#include <mqueue.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <poll.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <shadow.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <ucontext.h>
#include <utime.h>
#include <utmpx.h>
#include <wchar.h>
#include <wordexp.h>
#include <locale.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <glob.h>
#include <fmtmsg.h>
#include <aliases.h>
#include <gshadow.h>

/* clang-format off */
#define STRUCTURES(X) \
    X(tm) X(timespec) X(timeval) X(itimerval) X(itimerspec) X(tms) X(timex) X(timeb) X(stat) X(statx) \
    X(statfs) X(statvfs) X(utsname) X(rusage) X(rlimit) X(sysinfo) X(passwd) X(group) X(spwd) X(sgrp) \
    X(hostent) X(servent) X(protoent) X(netent) X(rpcent) X(aliasent) X(addrinfo) X(in_addr) X(ether_addr) \
    X(termios) X(winsize) X(sigaction) X(utimbuf) X(utmpx) X(dirent) X(lconv) X(random_data) X(drand48_data) \
    X(hsearch_data) X(qelem) X(mntent) X(pollfd) X(epoll_event) X(iovec) X(msghdr) X(mmsghdr) X(sched_param) \
    X(aiocb) X(mq_attr) X(sembuf) X(shmid_ds) X(msqid_ds) X(sigevent) X(timezone) X(re_pattern_buffer) \
    X(if_nameindex)
#define TYPES(X) \
    X(sigset_t) X(stack_t) X(siginfo_t) X(fd_set) X(fenv_t) X(femode_t) X(fexcept_t) X(mbstate_t) X(fpos_t) \
    X(ucontext_t) X(div_t) X(cpu_set_t) X(posix_spawnattr_t) X(posix_spawn_file_actions_t) X(pthread_attr_t) \
    X(glob_t) X(wordexp_t) X(regex_t) X(regmatch_t) X(timer_t) X(wchar_t) X(long) X(int) X(short) X(double) \
    X(float) X(size_t) X(pid_t) X(loff_t) X(pthread_mutexattr_t) X(pthread_condattr_t) \
    X(pthread_rwlockattr_t) X(pthread_barrierattr_t)
/* clang-format on */

static const struct {
    const char *name;
    uint32_t size;
} types[] = {
#define X(name) {#name, sizeof(struct name)},
    STRUCTURES(X)
#undef X
#define X(name) {#name, sizeof(name)},
        TYPES(X)
#undef X
            {"long_double", sizeof(long double)},
    {"pointer", sizeof(void *)},
};

/* ------------------------------------------------------------------ hidden objects */

static VEC(char *) objects; /* as in the table */
static VEC(char *) phrases; /* the same as text: "getenv() and setenv()" */

static char *make_phrase(const char *name, size_t length)
{
    char *plus = memchr(name, '+', length), *phrase = NULL;
    int first = plus ? (int)(plus - name) : (int)length;
    int size = asprintf(&phrase, "%.*s%s%.*s", first, name, plus ? " and " : "",
                        plus ? (int)length - first - 1 : 0, plus ? plus + 1 : "");
    return size < 0 ? NULL : phrase;
}

static uint32_t object_number(const char *name, size_t length)
{
    for (uint32_t k = 0; k < objects.len; k++)
        if (strncmp(objects.data[k], name, length) == 0 && !objects.data[k][length])
            return k;
    CHECK(objects.len < OBJECTS_MAX); /* two objects in one would race with each other */
    vec_push(&objects, strndup(name, length));
    vec_push(&phrases, make_phrase(name, length));
    return (uint32_t)objects.len - 1;
}

void library_use_named(const struct library_call *c, const char *object, bool writes)
{
    library_use(c, object_number(object, strlen(object)), writes);
}

const char *library_object_name(uint32_t number)
{
    return phrases.data[number];
}

/* ------------------------------------------------------------------ items */

struct reader {
    const char *at, *end; /* of the item */
    bool failed;
};

static bool take(struct reader *r, char c)
{
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static uint32_t take_number(struct reader *r)
{
    uint32_t number = 0;
    if (r->at == r->end || *r->at < '0' || *r->at > '9')
        r->failed = true;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++)
        number = number * 10 + (uint32_t)(*r->at - '0');
    return number;
}

static uint32_t take_type(struct reader *r)
{
    const char *close = memchr(r->at, '}', (size_t)(r->end - r->at));
    size_t length = close ? (size_t)(close - r->at) : 0;
    for (size_t k = 0; close && k < sizeof types / sizeof *types; k++)
        if (strncmp(types[k].name, r->at, length) == 0 && !types[k].name[length]) {
            r->at = close + 1;
            return types[k].size;
        }
    r->failed = true;
    return 1;
}

static void take_argument_factor(struct reader *r, struct library_item *i)
{
    unsigned k = 0;
    while (k < LIBRARY_FACTORS && i->factors[k])
        k++;
    if (k == LIBRARY_FACTORS)
        r->failed = true;
    else
        i->factors[k] = (uint8_t)take_number(r);
}

static void take_product(struct reader *r, struct library_item *i)
{
    i->extent = EXTENT_PRODUCT;
    i->constant = 1;
    do {
        if (take(r, '@')) {
            take_argument_factor(r, i);
        } else if (take(r, 'R')) {
            i->by_result = i->late = true;
            i->added = take(r, '1');
            i->most = take(r, '<') ? (uint8_t)take_number(r) : 0;
        } else if (take(r, '{')) {
            i->constant *= take_type(r);
        } else {
            i->constant *= take_number(r);
        }
    } while (!r->failed && take(r, '*'));
}

static void take_string(struct reader *r, struct library_item *i)
{
    i->extent = EXTENT_STRING;
    if (take(r, '<'))
        i->most = (uint8_t)take_number(r);
    i->late |= i->what != LIBRARY_READ;
}

static void take_other(struct reader *r, struct library_item *i, enum library_extent extent)
{
    i->extent = (uint8_t)extent;
    i->other = (uint8_t)take_number(r);
    if (take(r, '<'))
        i->most = (uint8_t)take_number(r);
}

static void take_condition(struct reader *r, struct library_item *i)
{
    if (!take(r, '?'))
        return;
    i->late = true;
    if (take(r, '0'))
        i->condition = WHEN_ZERO;
    else if (take(r, 'p'))
        i->condition = WHEN_NOT_ZERO;
    else if (take(r, '+'))
        i->condition = WHEN_NOT_NEGATIVE;
    else
        r->failed = true;
}

static void take_extent(struct reader *r, struct library_item *i)
{
    char first = r->at < r->end ? *r->at : 0;
    i->unit = first && strchr("SDE", first) ? sizeof(wchar_t) : 1;
    if (take(r, 's') || take(r, 'S'))
        take_string(r, i);
    else if (take(r, 'd') || take(r, 'D'))
        take_other(r, i, EXTENT_DIFFERENCE);
    else if (take(r, 'e') || take(r, 'E'))
        take_other(r, i, EXTENT_DIFFERENCE_CASE);
    else if (take(r, 'i'))
        take_other(r, i, EXTENT_INTEGER);
    else if (take(r, 'f'))
        i->extent = EXTENT_FLOAT;
    else
        take_product(r, i);
    if (take(r, '^'))
        i->to_result = i->late = true;
    take_condition(r, i);
}

static void take_memory(struct reader *r, struct library_item *i, enum library_what what)
{
    i->what = (uint8_t)what;
    i->argument = (uint8_t)take_number(r);
    if (!take(r, ':'))
        r->failed = true;
    take_extent(r, i);
}

static void take_object(struct reader *r, struct library_item *i, enum library_what what)
{
    i->what = (uint8_t)what;
    if (!take(r, '='))
        r->failed = true;
    i->object = object_number(r->at, (size_t)(r->end - r->at));
    r->at = r->end;
}

static void take_outside(struct reader *r, struct library_item *i, enum library_what what, bool changes)
{
    i->what = (uint8_t)what;
    i->changes = changes;
    i->argument = (uint8_t)take_number(r);
}

static void take_kind(struct reader *r, struct library_item *i, bool changes)
{
    static const char *const names[] = {[OUTSIDE_NAMES] = "names",
                                        [OUTSIDE_PROCESS] = "process",
                                        [OUTSIDE_ENVIRONMENT] = "environment",
                                        [OUTSIDE_SIGNALS] = "signals",
                                        [OUTSIDE_KEYS] = "keys"};
    i->what = LIBRARY_OUTSIDE;
    i->changes = changes;
    r->failed |= !take(r, '=');
    while (i->object < OUTSIDE_KINDS && (strncmp(names[i->object], r->at, (size_t)(r->end - r->at)) != 0 ||
                                         names[i->object][r->end - r->at]))
        i->object++;
    r->failed |= i->object == OUTSIDE_KINDS;
    r->at = r->end;
}

static void take_format(struct reader *r, struct library_item *i, enum library_what what, unsigned unit)
{
    i->what = (uint8_t)what;
    i->unit = (uint8_t)unit;
    i->has_list = take(r, 'v');
    if (!i->has_list && !take(r, '.'))
        r->failed = true;
    i->argument = (uint8_t)take_number(r);
    i->late = what == LIBRARY_SCAN;
}

static void take_parts(struct reader *r, struct library_item *i, enum library_what what)
{
    i->what = (uint8_t)what;
    i->argument = (uint8_t)take_number(r);
    if (!take(r, '*'))
        r->failed = true;
    i->other = (uint8_t)take_number(r);
    i->late = what == LIBRARY_SCATTER;
}

static void take_special(struct reader *r, struct library_item *i)
{
    char name[32] = {0};
    size_t length = (size_t)(r->end - r->at);
    memcpy(name, r->at, length < sizeof name ? length : sizeof name - 1);
    i->what = LIBRARY_SPECIAL;
    i->late = name[0] == '+'; /* is wanted after the call, too */
    i->special = library_find_special(name + i->late);
    r->failed |= !i->special;
    r->at = r->end;
}

static void take_item(struct reader *r, struct library_item *i)
{
    switch (r->at < r->end ? *r->at++ : 0) {
    case 'r': take_memory(r, i, LIBRARY_READ); break;
    case 'w': take_memory(r, i, LIBRARY_WRITE); break;
    case 'm':
        i->what = LIBRARY_OWN;
        i->late = true;
        take_extent(r, i);
        break;
    case 'q': take_object(r, i, LIBRARY_USE); break;
    case 'o': take_object(r, i, LIBRARY_CHANGE); break;
    case 'h': i->what = LIBRARY_USE, i->argument = (uint8_t)take_number(r); break;
    case 'H': i->what = LIBRARY_CHANGE, i->argument = (uint8_t)take_number(r); break;
    case 'f': take_outside(r, i, LIBRARY_STREAM, false); break;
    case 'F': take_outside(r, i, LIBRARY_STREAM, true); break;
    case 'd': take_outside(r, i, LIBRARY_FILE, false); break;
    case 'D': take_outside(r, i, LIBRARY_FILE, true); break;
    case 'n': take_outside(r, i, LIBRARY_PATH, false); break;
    case 'N': take_outside(r, i, LIBRARY_PATH, true); break;
    case 'u': take_kind(r, i, false); break;
    case 'U': take_kind(r, i, true); break;
    case 'p': take_format(r, i, LIBRARY_PRINT, 1); break;
    case 'P': take_format(r, i, LIBRARY_PRINT, sizeof(wchar_t)); break;
    case 'c': take_format(r, i, LIBRARY_SCAN, 1); break;
    case 'C': take_format(r, i, LIBRARY_SCAN, sizeof(wchar_t)); break;
    case 'i': take_parts(r, i, LIBRARY_GATHER); break;
    case 'j': take_parts(r, i, LIBRARY_SCATTER); break;
    case 'x': take_special(r, i); break;
    default: r->failed = true;
    }
    r->failed |= r->at != r->end;
}

static void note_item(struct library_row *row, const struct library_item *i)
{
    enum { VARIADIC = 128, FEW = 8 };
    bool is_variadic = (i->what == LIBRARY_PRINT || i->what == LIBRARY_SCAN) && !i->has_list;
    uint32_t words = is_variadic ? VARIADIC : FEW;
    row->late |= i->late;
    row->stack_words = words > row->stack_words ? words : row->stack_words;
}

bool library_parse(const char *items, struct library_row *row)
{
    *row = (struct library_row){0};
    for (const char *at = items + strspn(items, " "); *at;) {
        const char *end = at;
        while (*end && *end != ' ')
            end++;
        struct reader r = {.at = at, .end = end};
        if (row->count == LIBRARY_ITEMS)
            return false;
        struct library_item *i = &row->items[row->count++];
        take_item(&r, i);
        if (r.failed)
            return false;
        note_item(row, i);
        at = *end ? end + 1 : end;
    }
    return true;
}
