/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated invalid-free */
/* note: memory of the C library's functions is not for delete */
#include <cstring>

int main()
{
    char *copy = strdup("text");
    copy[0] = 'T';
    delete[] copy;
}
