/* SPDX-License-Identifier: Apache-2.0 */
/* Store buffers of --memory tso: what a thread has stored and others do not see yet. A store goes to the end of the thread's buffer, which
 * no other thread can observe; the first one of a buffer reaching memory is a step. The thread itself sees its buffer as if it were memory.
 * An operation returns when its buffer is empty. Private to this folder. */
#ifndef PROVE_BUFFERS_H
#define PROVE_BUFFERS_H

#include "prove/prove.h"

static inline const struct prove_buffer *prove_buffer_of(unsigned thread)
{
    return &prove.state.threads[thread].buffer;
}

/* The thread's own view: its stores are in memory until prove_buffer_hide. */
void prove_buffer_show(unsigned thread);
void prove_buffer_hide(unsigned thread);

/* Does what the thread is about to do go to its buffer? */
bool prove_buffer_takes(unsigned thread);
/* Does it have to wait for its buffer: until it is empty, or has room? */
bool prove_buffer_delays(unsigned thread);
/* Is there something that cannot be said of buffers? Then prove.problem says what. */
bool prove_buffer_is_unsure(unsigned thread);

void prove_buffer_add(unsigned thread, uint64_t address, uint64_t value, unsigned size);

/* The first store reaches memory. If that was the last thing to do, the operation has returned. */
struct prove_result prove_buffer_step(unsigned thread);

#endif
