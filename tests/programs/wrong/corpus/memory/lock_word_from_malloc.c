/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: all */
/* note: the ticket lock in a new block: one of its two counters is not set */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct account {
    atomic_uint next, owner;
    int balance;
};
static struct account *account;

static void *deposit(void *unused)
{
    (void)unused;
    unsigned ticket = atomic_fetch_add(&account->next, 1);
    while (atomic_load(&account->owner) != ticket)
        ;
    account->balance++;
    atomic_fetch_add(&account->owner, 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    account = malloc(sizeof *account);
    atomic_init(&account->next, 0);
    account->balance = 0;
    pthread_create(&a, NULL, deposit, NULL);
    pthread_create(&b, NULL, deposit, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(account);
    return 0;
}
