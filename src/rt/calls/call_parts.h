/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files of this folder. */
#ifndef RT_CALL_PARTS_H
#define RT_CALL_PARTS_H

#include "rt/calls/calls.h"

/* The runtime is quiet from now on, or the program goes on. */
void calls_become_quiet(const struct plumb_place *place, const char *what, const char *name);
void calls_become_active(void);

/* The calls that the running thread is in: the innermost is number 0. Null: there are not so many. */
struct call *calls_find_open(uint32_t from_inside);
/* Those whose frames lie below are over. */
void calls_drop_below(uint64_t frame);
void calls_lose(void); /* what there is of the execution is not judged */

void points_forget(void); /* of the execution before */
void objects_forget(void);

/* Of the object that lies there now; the same for all calls about it. */
uint32_t objects_number(const void *object);

#endif
