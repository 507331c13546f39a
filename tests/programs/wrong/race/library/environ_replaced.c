/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: tzset looks for a variable */
#include <pthread.h>
#include <time.h>

extern char **environ;
static char *table[] = {"TZ=UTC", NULL};

static void *change(void *arg)
{
    environ = table;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, change, NULL);
    tzset();
    pthread_join(t, NULL);
    return 0;
}
