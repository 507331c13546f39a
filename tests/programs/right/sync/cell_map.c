/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --test 'put(1,5) put(2,6) | get(2) get(1)' */
#define PUBLISH memory_order_release
#define SUBSCRIBE memory_order_acquire
#include "../../wrong/sync/cell_map.c"
