/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: initialised again without a destroy in between */
#include <pthread.h>

static pthread_barrier_t b;

int main(void)
{
    pthread_barrier_init(&b, NULL, 1);
    pthread_barrier_init(&b, NULL, 1);
    pthread_barrier_wait(&b);
    return 0;
}
