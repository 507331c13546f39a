/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
#include "../../wrong/choices/weak_cas_once.c"
