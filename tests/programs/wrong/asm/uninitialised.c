/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* machine: x86-64 */
/* note: assembly loads from a block that was never written to */
#include "../../x86.h"

int main(void)
{
    uint32_t *p = malloc(sizeof *p);
    uint32_t found = load_32(p);
    free(p);
    return found == 7;
}
