/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --test 'enq(1) enq(2) | deq deq' */
#define PUBLISH memory_order_release
#define SUBSCRIBE memory_order_acquire
#include "../../wrong/sync/ring_queue.c"
