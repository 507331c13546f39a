/* SPDX-License-Identifier: Apache-2.0 */
/* From a recorded history, in a file, in memory or a stream, to a verdict with its evidence: read, tied to
 * specifications, decided. Nothing here prints, and an error of the input is a diagnostic. */
#ifndef PIPELINE_PIPELINE_H
#define PIPELINE_PIPELINE_H

#include "formats/formats.h"
#include "monitor/monitor.h"

#include <signal.h>

/* How a stream goes on. */
struct pipeline_progress {
    const char *name;
    double seconds, events_per_second;
    uint64_t events;
    uint32_t open;
    size_t undecided;
};

/* Who follows a stream with us. Every member may be left out. */
struct pipeline_listener {
    void (*beats)(void *context, const struct pipeline_progress *p);
    void *context;
    double every;                      /* seconds between beats */
    const volatile sig_atomic_t *stop; /* nonzero: the verdict so far is wanted */
};

/* What is asked of a history. All zero: is it linearizable? */
struct pipeline_question {
    const char *init; /* JSON of the initial value, or null */
    struct format_options format;
    const char *quasi;     /* factor; null: linearizability */
    const char *quasi_min; /* class whose smallest factor is wanted, or null */
    int reading;           /* 0: more removals may follow (cc); 1: histories are complete (c) */
    double time;           /* 0: no limit */
    uint64_t memory_limit; /* 0: no limit */
    const struct monitor_helpers *helpers; /* or null */
    bool keep_witnesses;
    /* The input may grow: its end is the end mark of a binary file, or when it is stopped */
    bool follow;
    bool moment; /* of a violated one: since when */
    /* The specification, found when the history has been read; or null. */
    const struct plumb_spec *(*find_spec)(const void *context, struct history *h, struct diagnostic *d);
    const void *find_context;
    struct pipeline_listener listener;
};

struct pipeline_input {
    const char *path; /* as the user wrote it; "-" is standard input */
    const char *name; /* for messages and results */
    struct history *history;
    const struct plumb_spec **specs; /* of each object */
    bool inferred;                   /* no specification was named */
    bool relaxed;                    /* they are for quasi linearizability */
    struct format_reading reading;   /* what the file has besides operations */
    /* The history is that of one object, if this has a name; there are others */
    bool one_of_several;
    bool sought; /* --quasi-min: `least` is the last factor that was tried */
    uint32_t least;
    struct plumb_spec_options spec_options;
    struct monitor_result result; /* when error.code is 0 */
    struct diagnostic error;
    bool is_stream;               /* it was followed; of a violated one the history has what shows it */
    bool has_moment;              /* the violation's first moment is known */
    struct monitor_moment moment; /* it */
    double seconds_reading;
};

/* Reads and decides. `spec` null: inferred for each object. */
void pipeline_judge_file(struct pipeline_input *in, const char *path, const struct plumb_spec *spec,
                         const struct pipeline_question *question);
/* The same for a history that is in memory already, and belongs to `in` from now on. */
void pipeline_judge_history(struct pipeline_input *in, const char *name, struct history *h,
                            const struct plumb_spec *spec, const struct pipeline_question *question);
/* The same for one in JSON lines. */
void pipeline_judge_memory(struct pipeline_input *in, const char *name, const char *text, size_t length,
                           const struct plumb_spec *spec, const struct pipeline_question *question);
void pipeline_free(struct pipeline_input *in);

/* How many histories this process has decided as a whole: a violation is judged once to find it and once to
 * confirm it. */
uint64_t pipeline_judged(void);

/* That of the result; none for an input that could not be judged. */
enum verdict pipeline_verdict(const struct pipeline_input *in);

/* What is wrong with the factor, class or reading of a question, whatever the inputs are. */
bool pipeline_quasi_check(const struct pipeline_question *o, const struct plumb_spec *spec,
                          struct diagnostic *d);

/* The value that `--init json` means, whatever the specification. */
bool initial_value_scan(const char *json, struct plumb_values *values, plumb_value *out,
                        struct diagnostic *d);
/* The same for `spec`, which has to take it. */
bool initial_value_read(const struct plumb_spec *spec, const char *json, struct plumb_values *values,
                        plumb_value *out, struct diagnostic *d);

/* What is wrong with --init, --quasi and so on whatever the inputs are. `spec` null: inferred later. */
bool pipeline_question_check(const struct pipeline_question *o, const struct plumb_spec *spec,
                             struct diagnostic *d);

/* Reads the file `path`; "-" is standard input. */
bool history_file_read(struct history *h, const char *path, const struct format_options *o,
                       struct format_reading *out, struct diagnostic *d);

#endif
