/* SPDX-License-Identifier: Apache-2.0 */
/* The first executions of an exploration, breadth first, until there is work for many: docs/internals/explore/clusters.md. */
#ifndef WORKER_DIVIDE_H
#define WORKER_DIVIDE_H

#include "worker/share.h"

/* Between two executions of the first worker: what the last one left to do joins the queue of pieces, and the oldest piece is
 * what comes next. False: there are enough. */
bool divide(struct share *s);

/* The last piece led nowhere: the next one, if there is any. */
bool divide_again(struct share *s);

#endif
