/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of annotated functions in the running execution (plumb/annotations.h), as they are recorded: what the worker judges.
 * Nothing here is an event: while the runtime is quiet, hooks do nothing, and the program's allocations come from an arena
 * that is emptied before each execution. */
#ifndef RT_CALLS_H
#define RT_CALLS_H

#include "engine/shared/protocol.h"

#include <plumb/annotations.h>
#include <stdbool.h>

enum { CALLS_MOST = PROTOCOL_CALLS, CALL_POINTS = 32, CALLS_POINTEES = 512 };

struct call {
    const struct plumb_interface *interface;
    uint32_t object;        /* objects_number */
    uint32_t thread, depth; /* of nesting, from 0 */
    bool is_open, completed;
    uint64_t pc, frame; /* of its begin */
    uint64_t id, conditions;
    /* Where the program sees the record, the same for all calls of a thread at that depth; and its bytes */
    char *record, *kept;
    uint32_t begin_mark, end_mark, over_mark; /* numbers of marks of all threads; over: ended or left */
    uint32_t begin, end;                      /* engine_position at its ends */
    int32_t clock;                            /* schedules: engine_now at its begin */
    uint32_t begin_event, end_event;          /* as struct worker_call has them */
    uint64_t known;                           /* schedules: calls whose begin happens before its end */
    uint32_t point_count;
    uint32_t points[CALL_POINTS]; /* engine_last_access of its thread */
};

/* Bytes at an address, as they were when the call began, or ended. */
struct call_pointee {
    uint32_t call;
    bool at_end;
    void *at;
    size_t size;
    char *bytes;
};

struct calls {
    uint32_t count, pointee_count;
    bool lost; /* there were more than are judged */
    struct call list[CALLS_MOST];
    struct call_pointee pointees[CALLS_POINTEES];
};
extern struct calls calls __attribute__((visibility("hidden")));

/* Objects on stacks end with their functions: those in [from, to) do. */
extern bool calls_watch_stacks __attribute__((visibility("hidden")));
void calls_end_objects(uint64_t from, uint64_t to);

/* --- quiet code: that of specifications -------------------------------------------------------------- */

/* What is running while the runtime is quiet, for messages. Members may be null. */
struct calls_code {
    unsigned depth;  /* 0: the program runs, or nothing */
    uint64_t number; /* of such pieces of code so far */
    const struct plumb_place *place;
    const char *what, *name; /* "@PostCondition", "Read" */
};
extern struct calls_code calls_code __attribute__((visibility("hidden")));

static inline bool calls_are_quiet(void)
{
    return __builtin_expect(calls_code.depth != 0, false);
}

void calls_enter_code(const struct plumb_place *place, const char *what, const char *name);
void calls_leave_code(void);

/* An annotation is wrong: ends the worker, and the tool reports it at that place (or null). */
_Noreturn void calls_refuse(const struct plumb_place *place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The quiet code that is running does this: "crashes (SEGV)". */
_Noreturn void calls_refuse_code(const char *what);

/* --- memory of quiet code ---------------------------------------------------------------------------- */

/* Does the program's code that calls from there allocate in the arena now? */
bool quiet_is_caller(const void *pc);
bool quiet_owns(const void *p);
void *quiet_allocate(size_t size, size_t alignment); /* all zero; null: there is no more */
void *quiet_reallocate(void *p, size_t size);
void quiet_free(void *p); /* memory comes back if it was the last that was allocated */

/* The whole arena as it is; and back to bytes that it had. */
size_t quiet_save(const void **bytes);
void quiet_restore(const void *bytes, size_t size);
void quiet_reset(void);

/* Records in progress of a thread: `room` bytes behind those of its outer calls. Null: there is not so much. */
char *quiet_record(uint32_t thread, char *outer_end, size_t size);

/* Memory of the program, which may be gone: a copy of it; and what was copied, there again for a while. */
/* How many bytes there are, up to a limit; 0: none, or constant ones. */
size_t quiet_extent(const void *program);
bool quiet_copy_from(void *to, const void *program, size_t size);
bool quiet_exchange(void *program, const void *with, void *before, size_t size);
void quiet_put_back(void *program, const void *before, size_t size);

/* --- texts ------------------------------------------------------------------------------------------- */

struct plumb_text {
    char *data;
    size_t size, used; /* without the final zero */
};

#endif
