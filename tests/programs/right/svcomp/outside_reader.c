/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags: -DRIGHT */
/* rc11: violated abort */
/* tso: violated abort */
/* note: other models than sc take sections as a lock, which keeps no thread out that does not ask for it */
#include "../../wrong/svcomp/outside_reader.c"
