/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: of vectors and numbers of 80 bits only what was initialised decides something */
#include <pthread.h>
#include <stdlib.h>

typedef int four __attribute__((vector_size(16)));
typedef float quad __attribute__((vector_size(16)));
typedef char bytes __attribute__((vector_size(16)));

static __attribute__((noinline)) four twice(four v)
{
    return v + v;
}

static void *work(void *at)
{
    four a, b, all[2];
    quad q;
    bytes c;
    long double wide, rest;
    a[0] = 3;
    a[1] = 4;
    b = twice(a) << 1;
    if (b[1] != 16)
        abort();
    all[1] = b;
    if (all[1][0] != 12)
        abort();
    for (int k = 0; k < 4; k++)
        q[k] = (float)k;
    q = q * q + 1;
    four above = q > 4;
    if (!above[2] || above[1])
        abort();
    a = (above & a) | (~above & b);
    if (a[0] != 12)
        abort();
    c = (bytes)b;
    if (c[0] != 12)
        abort();
    if (at)
        wide = 1;
    else
        rest = 2;
    if ((at ? wide : rest) > 2)
        abort();
    return at;
}

int main(void)
{
    pthread_t t, u;
    int at;
    pthread_create(&t, NULL, work, NULL);
    pthread_create(&u, NULL, work, &at);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
