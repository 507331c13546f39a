/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* runs: 20 */
/* flags: -DWITH_EPOLL */
#include "poll_that_waits.c"
