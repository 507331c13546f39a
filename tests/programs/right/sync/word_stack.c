/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --test 'push(1) pop | push(2) pop' */
#define UPDATE memory_order_acq_rel
#include "../../wrong/sync/word_stack.c"
