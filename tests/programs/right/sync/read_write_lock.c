/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --test 'read_lock read_unlock | write_lock write_unlock' */
#define READER_LEAVES memory_order_release
#include "../../wrong/sync/read_write_lock.c"
