/* Who looks at the clock first sees the earlier time. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

atomic_long sum;

static void *look(void *arg)
{
    struct timespec now;
    for (int k = 0; k < 2; k++) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        atomic_fetch_add(&sum, now.tv_nsec);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, look, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
