/* SPDX-License-Identifier: Apache-2.0 */
/* One input of `plumb monitor`: read, tied to specifications, decided. */
#ifndef CLI_MONITOR_INPUT_H
#define CLI_MONITOR_INPUT_H

#include "cli/command.h"
#include "cli/monitor_options.h"
#include "monitor/core/earliest.h"
#include "monitor/monitor.h"

struct monitor_input {
    const char *path; /* as the user wrote it; "-" is standard input */
    const char *name; /* for messages and results */
    struct history *history;
    const struct plumb_spec **specs; /* of each object */
    bool inferred;                   /* nobody named a specification */
    bool relaxed;                    /* they are for quasi linearizability */
    struct format_reading reading;   /* what the file told besides operations */
    bool one_of_several; /* the history is that of one object, if this has a name; there are others */
    bool sought;         /* --quasi-min: `least` is the last factor that was tried */
    uint32_t least;
    struct plumb_spec_options spec_options;
    struct monitor_result result; /* when error.code is 0 */
    struct diagnostic error;
    bool is_stream;               /* it was followed; of a violated one the history has what shows it */
    bool has_moment;              /* --explain: the violation's first moment is known */
    struct monitor_moment moment; /* it */
    double seconds_reading;
};

/* Reads and decides. `spec` null: inferred for each object. */
void monitor_input_judge(struct monitor_input *in, const char *path, const struct plumb_spec *spec,
                         const struct monitor_options *options);
/* The same for a history that is in memory already, and belongs to `in` from now on. */
void monitor_input_judge_history(struct monitor_input *in, const char *name, struct history *h,
                                 const struct plumb_spec *spec, const struct monitor_options *options);
void monitor_input_free(struct monitor_input *in);

enum cli_exit monitor_input_exit(const struct monitor_input *in);

/* "holds", "violated", "inconclusive", or "error" for an input that has no verdict. */
const char *monitor_input_verdict(const struct monitor_input *in);

#endif
