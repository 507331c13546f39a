/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags: -DMOST=2 */
#include "../../wrong/locks/semaphore_beyond_max.cpp"
