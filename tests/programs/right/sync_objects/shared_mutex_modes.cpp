/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags: -DUNLOCK=unlock_shared */
#include "../../wrong/locks/shared_mutex_other_mode.cpp"
