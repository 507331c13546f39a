/* SPDX-License-Identifier: Apache-2.0 */
/* A name of uses.c for something else: the two cannot be one file. */
static int cell __attribute__((unused));
