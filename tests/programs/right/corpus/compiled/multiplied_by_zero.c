/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>

static int pressure;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int result;
enum { WEIGHT = 0 };

static void *sensor(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    pressure = 12;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *display(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    int now = pressure;
    pthread_mutex_unlock(&lock);
    result = now * WEIGHT;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, sensor, NULL);
    pthread_create(&t[1], NULL, display, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
