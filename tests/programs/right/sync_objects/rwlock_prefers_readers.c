/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags: -DKIND=PTHREAD_RWLOCK_PREFER_WRITER_NP */
/* note: this kind prefers readers all the same, in glibc */
#include "../../wrong/locks/rwlock_prefers_writers.c"
