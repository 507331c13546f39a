/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* rc11: violated assert */
/* tso: violated assert */
#define BETWEEN(me) (pthread_cond_signal(&condition))
#include "tso_spin_unlock.c"
