/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

extern void __VERIFIER_assume(int condition);
int ready, message;

void *send(void *unused)
{
    ready = 1;
    message = 1;
    return unused;
}

void *take(void *unused)
{
    __VERIFIER_assume(ready);
    if (!message)
        reach_error();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, send, 0);
    pthread_create(&b, 0, take, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
