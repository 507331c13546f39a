/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated double-free */
/* note: memory that was never used */
#include <stdlib.h>

int main(void)
{
    void *p = malloc(8);
    free(p);
    free(p);
    return 0;
}
