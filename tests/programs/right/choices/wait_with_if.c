/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: nothing is spurious unless asked for; the result names what was not tried */
#include "../../wrong/choices/wait_with_if_spurious.c"
