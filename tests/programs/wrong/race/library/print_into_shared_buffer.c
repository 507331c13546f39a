/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: both threads print into one buffer */
#include <pthread.h>
#include <stdio.h>

static char line[32];

static void *print(void *arg)
{
    snprintf(line, sizeof line, "%d", arg != NULL);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, print, NULL);
    sprintf(line, "%d", 7);
    pthread_join(t, NULL);
    return 0;
}
