/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the timer may fire before the other thread has posted */
#define WRONG
#include "../../right/channels/timer_and_event.c"
