/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

int result;

void *compute(void *unused)
{
    result = 7;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, compute, 0);
    int early = result;
    pthread_join(t, 0);
    return early - early;
}
