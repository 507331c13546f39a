/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

int next(void)
{
    static int number;
    return ++number;
}

void *take(void *unused)
{
    return next() ? unused : 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, take, 0);
    pthread_create(&b, 0, take, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
