/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* machine: x86-64 */
/* flags-plumb: --compute 0.2 */
/* note: only memory tells its rounds apart, and no hook announces that it changes */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static unsigned long rounds;

static int is_last_round(void)
{
    unsigned char last;
    __asm__ volatile("incq %0\n\tcmpq %2, %0\n\tsete %1"
                     : "+m"(rounds), "=r"(last)
                     : "r"(2000000000L)
                     : "cc");
    return last;
}

static void *work(void *arg)
{
    (void)arg;
    if (atomic_load(&ready))
        while (!is_last_round())
            ;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_store(&ready, 1);
    pthread_join(t, NULL);
    return 0;
}
