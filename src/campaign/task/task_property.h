/* SPDX-License-Identifier: Apache-2.0 */
/* What a property file (.prp) of SV-COMP asks: its formulas, whatever the name of the file. */
#ifndef CAMPAIGN_TASK_PROPERTY_H
#define CAMPAIGN_TASK_PROPERTY_H

#include <stdint.h>

enum task_asks {
    TASK_ASKS_NOTHING = 0,
    TASK_ASKS_RACE = 1,  /* G ! data-race */
    TASK_ASKS_CALL = 2,  /* G ! call(reach_error()) */
    TASK_ASKS_FREE = 4,  /* G valid-free */
    TASK_ASKS_DEREF = 8, /* G valid-deref */
    TASK_ASKS_MEMTRACK = 16,
    TASK_ASKS_OTHER = 32,
    TASK_ASKS_UNREADABLE = 64, /* alone: the file cannot be read */
};

/* A set of enum task_asks. */
uint32_t task_property_read(const char *path);

#endif
