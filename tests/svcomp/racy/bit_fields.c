/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

struct {
    unsigned left : 4, right : 4;
} both;

void *first(void *unused)
{
    both.left = 1;
    return unused;
}

void *second(void *unused)
{
    both.right = 2;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
