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
int left, right;

void *move(void *unused)
{
    __VERIFIER_atomic_begin();
    left++;
    right++;
    __VERIFIER_atomic_end();
    return unused;
}

void *look(void *unused)
{
    __VERIFIER_atomic_begin();
    if (left != right)
        reach_error();
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, move, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
