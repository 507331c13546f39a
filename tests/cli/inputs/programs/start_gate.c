/* Threads that wait for main to let them go. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go, done;

static void *work(void *unused)
{
    while (!atomic_load(&go))
        ;
    atomic_fetch_add(&done, 1);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&t[k], NULL, work, NULL);
    atomic_store(&go, 1);
    for (int k = 0; k < 2; k++)
        pthread_join(t[k], NULL);
    return 0;
}
