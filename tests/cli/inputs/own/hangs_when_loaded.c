/* SPDX-License-Identifier: Apache-2.0 */
#include "counter.h"

__attribute__((constructor)) static void hang(void)
{
    for (volatile int i = 0;; i++)
        ;
}
COUNTER
