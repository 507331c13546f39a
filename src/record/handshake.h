/* SPDX-License-Identifier: Apache-2.0 */
/* Do the counters of the processors ever contradict a message? */
#ifndef RECORD_HANDSHAKE_H
#define RECORD_HANDSHAKE_H

#include <sched.h>

enum handshake {
    HANDSHAKE_NEVER_BACK,
    HANDSHAKE_BACK,       /* a processor was behind what another one had sent it */
    HANDSHAKE_INCOMPLETE, /* some pair had no time, or a thread could not be pinned */
};

/* Each two of `processors` exchange stamps, `exchanges` of them in all pairs together, for at most `seconds`. */
enum handshake handshake_run(const cpu_set_t *processors, unsigned long exchanges, double seconds);

#endif
