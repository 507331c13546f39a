/* SPDX-License-Identifier: Apache-2.0 */
/* A binary history while it is written: bytes come in pieces, events go out in the order of their stamps, each as soon as
 * blocks promise that nothing earlier follows. */
#ifndef FORMATS_BINARY_FOLLOW_H
#define FORMATS_BINARY_FOLLOW_H

#include "formats/binary_decode.h"

struct binary_follower {
    /* Set before the first bytes. */
    struct history *h; /* gets names and values */
    struct diagnostic *d;
    bool (*take)(void *context, const struct history_event *e);
    void *context;
    size_t memory_max; /* of events that wait; 0: no limit */

    struct binary_decoder decoder;
    struct text bytes; /* of a block that is not complete */
    bool has_begun;    /* the first bytes of the file were read */
    VEC(struct history_event) waiting;
    VEC(int64_t) last; /* stamp of each thread */
    bool is_unordered; /* those that wait */
    char *cut;         /* it ends early, and how; what comes behind is not looked at */
};

void binary_follower_free(struct binary_follower *f);

/* False: the input is wrong. */
bool binary_follow_bytes(struct binary_follower *f, const char *bytes, size_t length);

/* There is nothing more to come: the end mark was read, or the file is cut. */
bool binary_follow_is_over(const struct binary_follower *f);

/* The input is at its end: without an end mark it is cut. False: it is no binary history at all. */
bool binary_follow_end(struct binary_follower *f);

#endif
