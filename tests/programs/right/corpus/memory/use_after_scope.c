/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
int seen;

int main(void)
{
    int *volatile p;
    int inner = 5;
    {
        p = &inner;
        *p = 6;
    }
    seen = *p;
    return 0;
}
