/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a semaphore has no static initialiser */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

int main(void)
{
    sem_post(&s);
    return 0;
}
