/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* only: gcc */
/* machine: x86-64 */
/* note: gcc makes code on the stack for a function that knows variables of the one around it */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int main(void)
{
    atomic_int n = 0;
    void *work(void *arg)
    {
        n++;
        return arg;
    }
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(n == 2);
    return 0;
}
