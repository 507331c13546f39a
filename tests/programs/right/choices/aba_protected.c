/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags-plumb: --reuse */
/* flags: -DPROTECTED */
#include "../../wrong/choices/aba_reuse.c"
