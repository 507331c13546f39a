/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --test 'put(1) | get' */
#define PUBLISH memory_order_release
#define SUBSCRIBE memory_order_acquire
#include "../../wrong/sync/named_rule.c"
