/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags: -DRIGHT */
#include "../../wrong/memory/directory_closed.c"
