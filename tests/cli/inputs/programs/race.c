/* Two threads write and read a counter without a lock; other data is theirs alone. */
#include <pthread.h>
#include <stdatomic.h>

static int counter, own[2];
static atomic_int done;

static void *work(void *unused)
{
    for (int i = 0; i < 100; i++)
        own[0] += i;
    counter++;
    atomic_store(&done, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    for (int i = 0; i < 100; i++)
        own[1] += i;
    counter++;
    pthread_join(thread, NULL);
    return own[0] != own[1];
}
