/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void reach_error(void);

static volatile int balance;

static void *deposit(void *unused)
{
    (void)unused;
    __VERIFIER_atomic_begin();
    int old = balance;
    balance = old + 1;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, deposit, NULL);
    pthread_create(&b, NULL, deposit, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (balance != 2)
        reach_error();
    return 0;
}
