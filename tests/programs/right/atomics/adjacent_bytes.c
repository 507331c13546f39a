/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: neighbouring bytes are different memory locations */
#include <assert.h>
#include <pthread.h>

static char cells[8];

static void *even(void *arg)
{
    (void)arg;
    cells[0] = 1;
    cells[2] = 3;
    return 0;
}

static void *odd(void *arg)
{
    (void)arg;
    cells[1] = 2;
    cells[3] = 4;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, even, 0);
    pthread_create(&b, 0, odd, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(cells[0] == 1 && cells[1] == 2 && cells[2] == 3 && cells[3] == 4);
    return 0;
}
