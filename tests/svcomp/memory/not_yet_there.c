/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

int value, *shared;

void *use(void *unused)
{
    *shared = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, use, 0);
    shared = &value;
    pthread_join(t, 0);
    return 0;
}
