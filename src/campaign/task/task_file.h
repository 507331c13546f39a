/* SPDX-License-Identifier: Apache-2.0 */
/* A task of SV-COMP: the .yml file that names a program, properties of it and what is expected. */
#ifndef CAMPAIGN_TASK_FILE_H
#define CAMPAIGN_TASK_FILE_H

#include "base/diagnostic.h"
#include "base/vec.h"

#include <stdbool.h>

enum task_expected { TASK_EXPECTS_NOTHING, TASK_EXPECTS_TRUE, TASK_EXPECTS_FALSE };

struct task_property {
    char *name;    /* "no-data-race": of the property file, without folder and ending */
    char *file;    /* the property file, from where the tool runs */
    uint32_t asks; /* what it says (task_property.h) */
    enum task_expected expected;
    char *subproperty; /* "valid-deref"; or null */
};

struct task_file {
    VEC(char *) files; /* of the program, from where the tool runs */
    VEC(struct task_property) properties;
    bool is_ilp32;  /* the data model; else LP64 */
    char *language; /* "C"; null: not said */
    char *version;  /* of the format */
};

/* Does the name end as those of tasks do? */
bool task_file_is(const char *path);

/* Is the program in C, or is nothing said of its language? */
bool task_is_in_c(const struct task_file *t);

/* Reads the part of YAML that tasks are written in: a key in each line, lists with a line for each item. To be freed, whatever
 * the answer. */
bool task_file_read(struct task_file *t, const char *path, struct diagnostic *why);
void task_file_free(struct task_file *t);

#endif
