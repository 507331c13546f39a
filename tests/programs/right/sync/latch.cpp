/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --test 'count_down | count_down | wait' */
#define PUBLISH std::memory_order_release
#define SUBSCRIBE std::memory_order_acquire
#include "../../wrong/sync/latch.cpp"
