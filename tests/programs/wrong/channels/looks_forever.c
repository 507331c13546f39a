/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: all */
/* note: nothing is ever posted */
#define WRONG
#include "../../right/channels/looks_until_stopped.c"
