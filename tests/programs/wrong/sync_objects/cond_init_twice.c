/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a condition variable is initialised twice */
#include <pthread.h>

static pthread_cond_t o;

int main(void)
{
    pthread_cond_init(&o, NULL);
    pthread_cond_init(&o, NULL);
    return 0;
}
