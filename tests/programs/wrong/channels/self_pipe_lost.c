/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* note: a request between the two critical sections finds others there, so it writes nothing */
#define WRONG
#include "../../right/channels/self_pipe.c"
