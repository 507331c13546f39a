/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated invalid-free */
#include <cstdlib>

int main()
{
    int *numbers = new int[2]{1, 2};
    numbers = static_cast<int *>(realloc(numbers, 4 * sizeof *numbers));
    numbers[3] = 4;
    free(numbers);
}
