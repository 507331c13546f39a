/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that belong together because one may wait until another has happened: what takes a lock is followed by what gives it
 * back, or everything stops. Found by trying the specification, so that a new one needs nothing here. */
#ifndef STRESS_PAIRS_H
#define STRESS_PAIRS_H

#include <plumb/spec.h>

enum { STRESS_PAIRS_MAX = 64, STRESS_NO_PAIR = UINT32_MAX };

struct stress_pairs {
    /* The operation after which everything is as before the call of this one */
    uint32_t followed_by[STRESS_PAIRS_MAX];
    bool may_wait[STRESS_PAIRS_MAX];
    bool follows[STRESS_PAIRS_MAX]; /* called only behind another one */
};

/* By numbers of operations of the specification, of which the first STRESS_PAIRS_MAX count. An operation that gives back is one
 * without argument that undoes one that may wait. */
void stress_pairs_find(struct stress_pairs *p, const struct plumb_spec *spec, const char *init);

#endif
