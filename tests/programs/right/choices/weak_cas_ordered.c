/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: a weak CAS that never fails for no reason acquires what it takes */
#include "../../wrong/choices/weak_cas_unordered.c"
