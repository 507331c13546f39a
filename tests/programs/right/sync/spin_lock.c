/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --test 'acquire release | acquire release' */
#define PUBLISH memory_order_release
#define SUBSCRIBE memory_order_acquire
#include "../../wrong/sync/spin_lock.c"
