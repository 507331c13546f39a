/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --test 'push_back(1) push_front(2) | pop_front pop_back' */
#define UPDATE memory_order_acq_rel
#include "../../wrong/sync/word_deque.c"
