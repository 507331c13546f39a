/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* note: the writer waits for room, and the reader for the writer's end */
#define WRONG
#include "../../right/channels/full_pipe.c"
