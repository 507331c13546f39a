/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the work is an update, which the loop's own update finds or comes after */
#define RIGHT
#include "../../wrong/channels/flag_looked_at_too_early.c"
