/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <string.h>

struct pair {
    int left, right;
} shared, copy;

void *fill(void *unused)
{
    shared.right = 2;
    return unused;
}

void *take(void *unused)
{
    memcpy(&copy, &shared, sizeof copy);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, fill, 0);
    pthread_create(&b, 0, take, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
