/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated invalid-free */
/* note: an object of a constructor before main is freed */
#include <cstdlib>

static int *number = new int(3);

int main()
{
    free(number);
}
