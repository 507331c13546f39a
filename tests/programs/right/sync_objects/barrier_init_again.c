/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: destroyed before it is initialised again */
#include <pthread.h>

static pthread_barrier_t b;

int main(void)
{
    for (int k = 0; k < 2; k++) {
        pthread_barrier_init(&b, NULL, 1);
        pthread_barrier_wait(&b);
        pthread_barrier_destroy(&b);
    }
    return 0;
}
