/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* note: the flag is cleared after the work was taken: a send in between wakes nobody */
#define WRONG
#include "../../right/channels/async_send.c"
