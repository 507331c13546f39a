/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
int slots[2];

void *fill(void *unused)
{
    slots[__VERIFIER_nondet_bool()] = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, fill, 0);
    pthread_create(&b, 0, fill, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
