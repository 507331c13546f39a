/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int count;

void *add(void *unused)
{
    __VERIFIER_atomic_begin();
    count++;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (count != 2)
        reach_error();
    return 0;
}
