/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: all */
/* flags: -mcx16 */
/* flags-plumb: --test 'enq(1) => deq | deq enq(2) deq' */
/* note: the tag never changes: a node that came back is taken for the one that was seen before */
#define TAG 0
#include "../../right/harness/tagged_queue.c"
