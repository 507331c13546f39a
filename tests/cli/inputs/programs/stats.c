/* Two statistics without protection. */
#include <pthread.h>

int hits, misses;

static void *look(void *arg)
{
    hits++;
    misses = 2;
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, look, NULL);
    hits++;
    int found = misses;
    pthread_join(a, NULL);
    return found == 1;
}
