/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: all */
/* flags: -mcx16 */
/* flags-plumb: --test 'push(1) push(2) => pop | pop pop push(3) => pop' */
/* note: the tag never changes: a node that came back is taken for the one that was seen before */
#define TAG 0
#include "../../right/harness/tagged_stack.c"
