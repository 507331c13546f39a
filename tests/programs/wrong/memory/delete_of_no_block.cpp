/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated invalid-free */
/* mode: all */
/* note: nothing else of the C++ library is needed, so that it may not be loaded */
static int number;

int main()
{
    int *volatile p = &number;
    delete p;
    return 0;
}
