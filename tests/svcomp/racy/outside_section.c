/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int count, seen;

void *add(void *unused)
{
    __VERIFIER_atomic_begin();
    count++;
    __VERIFIER_atomic_end();
    return unused;
}

void *look(void *unused)
{
    seen = count;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
