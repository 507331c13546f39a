/* SPDX-License-Identifier: Apache-2.0 */
/* A program of its own. */
#include <stdlib.h>

int main(void)
{
    free(malloc(1));
    return 0;
}
