/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* note: two bytes may come with one edge; the second one is never read */
#define WRONG
#include "../../right/channels/edge_triggered.c"
