/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* command: auto */
/* flags-plumb: --samples 60 */
/* note: where one thread keeps a read lock, a reader may wait behind a waiting writer; no test has all three */
#include "writer_first_rwlock.c"
