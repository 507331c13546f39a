/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* machine: x86-64 */
/* note: a locked increment behind the end of a block */
#include "../../x86.h"

int main(void)
{
    uint32_t *p = calloc(2, sizeof *p);
    inc_32(p + 1);
    inc_32(p + 2);
    free(p);
    return 0;
}
