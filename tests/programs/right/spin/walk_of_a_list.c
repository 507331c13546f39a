/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags: -O2 */
/* A loop that follows pointers is not a loop that waits, although only an argument changes from round to round. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
struct node {
    _Atomic(struct node *) next;
};

static struct node c, b, a;
static _Atomic(struct node *) head;
__attribute__((noinline)) static void walk(void)
{
    for (struct node *p = atomic_load(&head); p; p = atomic_load(&p->next))
        ;
}
static void *reader(void *u)
{
    walk();
    return u;
}
int main(void)
{
    atomic_store(&b.next, &c);
    atomic_store(&a.next, &b);
    atomic_store(&head, &a);
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    pthread_join(t, NULL);
}
