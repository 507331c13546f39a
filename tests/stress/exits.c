/* SPDX-License-Identifier: Apache-2.0 */
#include <plumb.h>

#include <stdio.h>
#include <stdlib.h>

static _Thread_local int reads;

PLUMB_OBJECT(register)

PLUMB_OP(read)
{
    if (++reads == 5) {
        printf("the register is worn out\n");
        exit(3);
    }
    return PLUMB_INT(0);
}
