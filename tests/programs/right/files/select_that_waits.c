/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* runs: 20 */
/* flags: -DWITH_SELECT */
#include "poll_that_waits.c"
