/* SPDX-License-Identifier: Apache-2.0 */
/* A violation witness of SV-COMP: the steps of an execution as a path of an automaton, in GraphML (format 1.0). */
#ifndef REPORT_WITNESS_H
#define REPORT_WITNESS_H

#include "report/counterexample.h"

struct witness {
    const char *producer, *specification, *program; /* the file */
    const char *program_hash;                       /* SHA-256 in hexadecimal digits */
    bool is_32bit;
    int64_t created; /* seconds since 1970 */
    const struct report_execution *execution;
};

void witness_render(struct text *out, const struct witness *w);

#endif
