/* SPDX-License-Identifier: Apache-2.0 */
/* Models written in a subset of Promela, as a system (refine/system.h). The same files run in SPIN: docs/models.md has the
 * language, docs/internals/refine/promela.md how it is compiled. */
#ifndef PROMELA_H
#define PROMELA_H

#include "base/diagnostic.h"
#include "refine/system.h"

struct promela_settings {
    const char *const *defines; /* NAME or NAME=TEXT, as with -D of a compiler */
    uint32_t define_count;
    /* Dead variables keep their values, as in SPIN with -o1: to compare numbers of states */
    bool keep_dead;
    /* The file is a specification: its proctype marked sequential, as one process */
    bool sequential;
};

/* Reads, checks and compiles a file. Null: the diagnostic says where and why. */
struct refine_system *promela_load(const char *path, const struct promela_settings *settings,
                                   struct diagnostic *d);

/* The same for a text in memory; `name` stands for its path. */
struct refine_system *promela_load_text(const char *name, const char *text, size_t length,
                                        const struct promela_settings *settings, struct diagnostic *d);

/* Are items renamable (every variable that can hold an argument `is_data`)? If not, the diagnostic names the place where
 * the model looks into an item. `ordered`: comparing items by < > <= >= is allowed (priority queues). */
bool promela_is_data_independent(const struct refine_system *s, bool ordered, struct diagnostic *d);

/* Does every answer of the operation (a number in `ops`) give an item or NONE? If not, the diagnostic names the first that
 * gives something else. And does none give an item? */
bool promela_answers_items(const struct refine_system *s, uint32_t op, struct diagnostic *d);
bool promela_answers_numbers(const struct refine_system *s, uint32_t op);

#endif
