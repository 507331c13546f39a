/* SPDX-License-Identifier: Apache-2.0 */
/* The monitor as a library: link with libplumb-monitor, and ask whether what was recorded is linearizable.
 *
 *     struct plumb_monitor *m = plumb_monitor_open();
 *     plumb_monitor_set_spec(m, "queue");
 *     plumb_monitor_call(m, 1, NULL, "enq", plumb_int(plumb_monitor_values(m), 7), 10);
 *     plumb_monitor_return(m, 1, PLUMB_OK, 12);
 *     ...
 *     if (plumb_monitor_finish(m) == PLUMB_VIOLATED)
 *         puts(plumb_monitor_text(m));
 *     plumb_monitor_close(m);
 *
 * A handle judges one history: a file, bytes in memory, or events that are pushed one by one. Strings that
 * are given back belong to the handle. Nothing is printed. A null pointer where a handle, a name or a history has to be is an error like others:
 * false, PLUMB_ERROR, 0 or an empty string. A handle belongs to one thread at a time; several
 * handles may be used side by side. */
#ifndef PLUMB_MONITOR_H
#define PLUMB_MONITOR_H

#include <plumb/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

struct plumb_monitor;

enum plumb_verdict {
    PLUMB_HOLDS,
    PLUMB_VIOLATED,
    PLUMB_INCONCLUSIVE, /* a limit was met; plumb_monitor_why names it */
    PLUMB_ERROR,        /* there is no verdict: the input is wrong; plumb_monitor_why says where */
};

PLUMB_API struct plumb_monitor *plumb_monitor_open(void);
PLUMB_API void plumb_monitor_close(struct plumb_monitor *m); /* m may be null */

/* ---- the question, before the history ---- */

/* One of `plumb specs`, perhaps with an initial value, as in "register(5)". Without a specification it is
 * inferred from the operations. False: there is none of that name. */
PLUMB_API bool plumb_monitor_set_spec(struct plumb_monitor *m, const char *name);

/* One of your own; it has to outlive the handle, and there may be one of them in the process at a time.
 * False: something is missing in it. */
PLUMB_API bool plumb_monitor_set_own_spec(struct plumb_monitor *m, const struct plumb_spec *spec);

/* Quasi linearizability with this factor, as in "2" or "deq=2,enq=1" (docs/quasi.md). */
PLUMB_API bool plumb_monitor_set_quasi(struct plumb_monitor *m, const char *factor);

/* Seconds and bytes; 0: no limit. */
PLUMB_API void plumb_monitor_set_budget(struct plumb_monitor *m, double seconds, uint64_t bytes);

/* ---- a whole history ---- */

/* In any of the formats of docs/formats.md. */
PLUMB_API enum plumb_verdict plumb_monitor_judge_file(struct plumb_monitor *m, const char *path);
/* JSON, an operation a line. */
PLUMB_API enum plumb_verdict plumb_monitor_judge_memory(struct plumb_monitor *m, const char *lines,
                                                        size_t length);

/* ---- events, in the order of their stamps ---- */

/* Values of arguments and results are made in this pool. */
PLUMB_API struct plumb_values *plumb_monitor_values(struct plumb_monitor *m);

/* A thread calls, or its open call returns. `object` may be null when there is one. With a named
 * specification events are judged as they come, and what is decided for good is forgotten. False: the event
 * is wrong (a thread calls twice, an unknown operation), or nothing more can be learnt; plumb_monitor_why
 * says which. */
PLUMB_API bool plumb_monitor_call(struct plumb_monitor *m, int64_t thread, const char *object,
                                  const char *operation, plumb_value argument, int64_t stamp);
PLUMB_API bool plumb_monitor_return(struct plumb_monitor *m, int64_t thread, plumb_value result,
                                    int64_t stamp);

/* Decides what returned since the last time. True: a violation was found, or the budget is spent. */
PLUMB_API bool plumb_monitor_look(struct plumb_monitor *m);

/* There are no more events. */
PLUMB_API enum plumb_verdict plumb_monitor_finish(struct plumb_monitor *m);

/* ---- the evidence ---- */

/* One sentence: why it is violated, which limit was met, or what is wrong with the input. Empty: it holds. */
PLUMB_API const char *plumb_monitor_why(struct plumb_monitor *m);

/* Of a violated history: the smallest part that shows it, as numbers of operations in the order of their
 * calls in the input (from 0). Returns how many there are, and stores at most `most` of them. Of events that
 * were judged as they came it may start from a state that earlier ones left, which plumb_monitor_text and
 * _json show. */
PLUMB_API size_t plumb_monitor_core(struct plumb_monitor *m, uint32_t *numbers, size_t most);

/* Of a history that holds (not of events that were judged as they came): a legal order of the operations on
 * object number `object`, in the same way. 0: there is no such object. */
PLUMB_API size_t plumb_monitor_witness(struct plumb_monitor *m, uint32_t object, uint32_t *numbers,
                                       size_t most);

/* Of a violated history: the counterexample as `plumb monitor` prints it, and as in its --json
 * (docs/json.md). Else empty. */
PLUMB_API const char *plumb_monitor_text(struct plumb_monitor *m);
PLUMB_API const char *plumb_monitor_json(struct plumb_monitor *m);

#ifdef __cplusplus
}
#endif

#endif
