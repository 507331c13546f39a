/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race */
/* wrong-sc: holds */
/* wrong-tso: holds */
/* note: compare and set; the pauses double without limit */
#define DOUBLING
#include "backoff_exponential.c"
