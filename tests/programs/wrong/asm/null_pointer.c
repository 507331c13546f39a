/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated crash */
/* machine: x86-64 */
/* note: a store through a null pointer */
#include "../../x86.h"

int main(void)
{
    static uint32_t *volatile p;
    store_32(p, 1);
    return 0;
}
