/* SPDX-License-Identifier: Apache-2.0 */
/* The words for an error of a program under test, and its place in the source. */
#ifndef EXPLAIN_EXPLAIN_ERROR_H
#define EXPLAIN_EXPLAIN_ERROR_H

#include "base/text.h"
#include "engine/shared/protocol.h"

struct symbols;

/* The word of an error kind ("race") and its text ("data race"). */
const char *error_word(uint32_t kind);
const char *error_text(uint32_t kind);

/* When an error happened, for JSON: "start" (before main), "setup" (of the harness) or "execution". */
const char *phase_word(uint32_t phase);

/* Adds "data race under rc11"; "data race" alone of executions that need no weak memory. */
void explain_add_headline(struct text *out, const struct worker_shared *shared, struct symbols *symbols);

/* The source place of the error, "queue.c:12", or null; the caller frees it. */
char *error_place(const struct worker_shared *shared);

/* The names of the program's places. Without them reports show addresses, and nothing is suppressed. */
struct symbols *explain_symbols(const struct worker_shared *s);

/* The innermost call whose line is known: libraries have none. */
uint64_t explain_find_place(struct symbols *symbols, const struct worker_stack *stack);

/* The same of any place in the code. */
char *code_place(const struct worker_shared *shared, uint64_t pc);

/* The same with the function: "tick at clock.c:12". */
char *code_function(const struct worker_shared *shared, uint64_t pc);

#endif
