/* SPDX-License-Identifier: Apache-2.0 */
/* System calls that may wait for a file. All threads run on one: a call that waits would stop them all, so one
 * that would wait ends the execution as not supported, and any other is done. */
#ifndef RT_BLOCKING_H
#define RT_BLOCKING_H

#include <poll.h>
#include <stdbool.h>
#include <sys/select.h>

/* poll and select that look once; with `waits` it is not supported that nothing is ready. */
int blocking_poll(struct pollfd *files, nfds_t count, bool waits, const void *pc);
int blocking_select(int count, fd_set **sets, bool waits, const void *pc);

#endif
