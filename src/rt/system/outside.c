/* SPDX-License-Identifier: Apache-2.0 */
#include "rt/system/outside.h"

#include "base/vec.h"
#include "rt/hook.h"
#include "rt/start.h"
#include "rt/system/system_parts.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CONTENTS = OUTSIDE_KINDS, OBJECTS };

static const char objects[OBJECTS]; /* at whose addresses the steps are */
static struct resource {
    struct engine_uses changes, looks;
} resources[OUTSIDE_KINDS];

/* A regular file, or a stream over memory. Pipes, sockets and the like are one: what goes into one may come out of another. */
struct file {
    uint64_t device, number;
    struct resource uses;
};
static VEC(struct file) files; /* that this execution has used */

/* ------------------------------------------------------------------ between executions */

static VEC(FILE *) streams; /* that the program has open */

void outside_keep_stream(void *stream)
{
    if (engine_active && stream)
        vec_push(&streams, stream);
}

void outside_forget_stream(const void *stream)
{
    size_t kept = 0;
    for (size_t k = 0; k < streams.len; k++)
        if (streams.data[k] != stream)
            streams.data[kept++] = streams.data[k];
    streams.len = kept;
}

/* Else there would soon be too many, each at an address of its own. */
static void close_streams(void)
{
    for (size_t k = 0; k < streams.len; k++)
        NEXT(fclose)(streams.data[k]);
    vec_clear(&streams);
}

static bool is_kept;          /* the mask for new files and the current folder, as they were at first */
static char folder[PATH_MAX]; /* empty: it has been removed; no descriptor, which the program could close */
static mode_t mask;

static void keep_process(void)
{
    mask = NEXT(umask)(0);
    NEXT(umask)(mask);
    if (!NEXT(getcwd)(folder, sizeof folder))
        folder[0] = 0;
    is_kept = true;
}

BEFORE_EACH_EXECUTION(outside_reset)
{
    for (int k = 0; k < OUTSIDE_KINDS; k++) {
        engine_forget_uses(&resources[k].changes);
        engine_forget_uses(&resources[k].looks);
    }
    vec_clear(&files);
    close_streams();
    if (!is_kept)
        return;
    NEXT(umask)(mask);
    char now[PATH_MAX];
    if (folder[0] ? NEXT(chdir)(folder) != 0 : NEXT(getcwd)(now, sizeof now) != NULL)
        engine_limit(LIMIT_NONDETERMINISM);
}

/* ------------------------------------------------------------------ uses */

static void step(unsigned kind, const void *pc)
{
    uint64_t object = (uint64_t)&objects[kind];
    bool orders = kind <= OUTSIDE_PROCESS || kind == CONTENTS;
    engine_describe(OPERATION_ADD, 1, 0, orders ? ORDER_ACQ_REL : ORDER_RELAXED);
    engine_step(EVENT_FILE, object, 0, pc);
    if (orders) {
        engine_acquire(object);
        engine_release(object);
    }
    engine_note(EVENT_FILE, 0, 0, ORDER_PLAIN, 0, 0, pc);
}

/* What a thread alone does is ordered before all that others do. */
static bool concerns_others(void)
{
    if (!engine_active)
        return false;
    engine_depend_on_order();
    engine_note_effect();
    return !engine_is_alone();
}

static void use(struct resource *r, unsigned kind, bool changes, const void *pc)
{
    if (!engine_graph_mode || engine_knows_outside(kind)) {
        step(kind, pc);
        return;
    }
    if (engine_is_unordered(&r->changes) || (changes && engine_is_unordered(&r->looks)))
        engine_share_outside(kind);
    engine_note_use(changes ? &r->changes : &r->looks);
}

void outside_use(enum outside kind, bool changes, const void *pc)
{
    if (kind == OUTSIDE_NAMES && changes && engine_active && !is_kept)
        keep_process();
    if (concerns_others())
        use(&resources[kind], kind, changes, pc);
}

static struct resource *find_file(uint64_t device, uint64_t number)
{
    for (size_t k = 0; k < files.len; k++)
        if (files.data[k].device == device && files.data[k].number == number)
            return &files.data[k].uses;
    vec_push(&files, ((struct file){.device = device, .number = number}));
    return &vec_last(&files).uses;
}

void outside_use_pipes(const void *pc)
{
    if (concerns_others())
        use(find_file(0, 0), CONTENTS, true, pc);
}

static void use_contents(const struct stat *s, bool changes, const void *pc)
{
    if (S_ISREG(s->st_mode))
        use(find_file(s->st_dev, s->st_ino), CONTENTS, changes, pc);
    else
        outside_use_pipes(pc);
}

/* The tool takes the program's output, and the program does not read it. */
static bool is_output(int fd)
{
    return fd == STDOUT_FILENO || fd == STDERR_FILENO;
}

/* One that is closed is a use as well: it was open in the execution before, perhaps. */
void outside_use_file(int fd, bool changes, const void *pc)
{
    struct stat s = {0};
    if (is_output(fd) || !concerns_others())
        return;
    NEXT(fstat)(fd, &s);
    use_contents(&s, changes, pc);
}

void outside_use_path(const char *path, bool changes, const void *pc)
{
    struct stat s;
    outside_use(OUTSIDE_NAMES, false, pc);
    if (path && concerns_others() && NEXT(stat)(path, &s) == 0)
        use_contents(&s, changes, pc);
}

/* Those that were closed before in another order count as pipes. */
void outside_change_all_files(const void *pc)
{
    outside_use_pipes(pc);
    if (!concerns_others() || !engine_graph_mode || engine_knows_outside(CONTENTS))
        return;
    for (size_t k = 0; k < files.len; k++)
        use(&files.data[k].uses, CONTENTS, true, pc);
}

/* Streams over memory have no descriptor. */
void outside_use_stream(void *stream, const void *pc)
{
    if (!concerns_others())
        return;
    int error = errno, fd = stream ? NEXT(fileno)(stream) : STDIN_FILENO;
    errno = error;
    if (fd < 0)
        use(find_file(UINT64_MAX, (uint64_t)stream), CONTENTS, true, pc);
    else
        outside_use_file(fd, true, pc);
}
