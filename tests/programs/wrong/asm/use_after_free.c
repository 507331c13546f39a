/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* machine: x86-64 */
/* note: assembly stores into memory that was freed */
#include "../../x86.h"

int main(void)
{
    uint32_t *p = malloc(sizeof *p);
    store_32(p, 1);
    free(p);
    store_32(p, 2);
    return 0;
}
