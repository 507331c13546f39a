/* SPDX-License-Identifier: Apache-2.0 */
/* What C and C++ have in common when code is generated. */
#ifndef ANNOTATE_GENERATE_H
#define ANNOTATE_GENERATE_H

#include "annotate/annotate_unit.h"

/* What the code of an interface uses. */
struct needs {
    bool used;      /* by any clause */
    unsigned seen;  /* elements that a clause finds through it */
    bool handed_on; /* by a clause to code that may find any number of them */
};
struct needs interface_needs(const struct interface *i, const char *name);
bool interface_has_id_or_conditions(const struct interface *i);

/* {"file", line, column} */
void emit_place(struct emitter *e, const struct place *at);
/* The labels and the names of conditions: static arrays named points_ID and conditions_ID. */
void emit_name_lists(struct emitter *e, const struct interface *i, const char *suffix);
void emit_rules(struct emitter *e, const struct structure *s);
/* {"text", place}, or zeros. */
void emit_clause(struct emitter *e, const struct code *code);
/* Assignments to plumb_id and plumb_holds. */
void emit_answers(struct emitter *e, const struct interface *i);

#endif
