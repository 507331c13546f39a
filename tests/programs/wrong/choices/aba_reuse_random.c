/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free|assert|double-free */
/* runs: 20000 */
/* flags-plumb: --reuse */
#include "aba_reuse.c"
