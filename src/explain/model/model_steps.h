/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a model's run in words. */
#ifndef EXPLAIN_MODEL_STEPS_H
#define EXPLAIN_MODEL_STEPS_H

#include "refine/refine.h"
#include "report/counterexample.h"

/* A finished check of a model. */
struct refine_outcome {
    const char *name;            /* of the model's file */
    const char *specification;   /* as the user named it */
    const char *quasi;           /* or null */
    enum refine_reading reading; /* of quasi linearizability */
    bool trace;                  /* trace refinement */
    bool is_program;             /* not a model: compiled code */
    bool full_any;               /* additions may answer FULL at any time */
    const struct refine_system *system;
    const struct plumb_spec *spec; /* null: the specification is a model */
    const struct refine_result *result;
    const char *command; /* that shows this again */
};

/* A call or a return? */
bool refine_is_visible(const struct refine_event *e);
/* "step", "call", "return", "fault" */
const char *refine_kind_word(const struct refine_event *e);

bool refine_answers_ok(const struct refine_outcome *o, const struct refine_step *step);
void refine_add_answer(struct text *out, const struct refine_outcome *o, const struct refine_step *step);
/* "enq(1)" for a call, "enq = ok" for a return. */
void refine_add_operation(struct text *out, const struct refine_outcome *o, const struct refine_event *e);
/* What the model's step number i changed; nothing if that is not known. */
void refine_add_changes(struct text *out, const struct refine_outcome *o, size_t i);

/* Step number i, and where it is in the model (null: nowhere); the caller frees them. */
char *refine_step_text(const struct refine_outcome *o, size_t i);
char *refine_place_text(const struct refine_outcome *o, size_t i);

#endif
