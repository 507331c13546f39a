/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: formats into a shared buffer under a lock, but the order is anybody's */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
char text[32];

static void *write_name(void *arg)
{
    pthread_mutex_lock(&lock);
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "%s;", (char *)arg);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, write_name, "a");
    pthread_create(&b, NULL, write_name, "b");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(strcmp(text, "a;b;") == 0);
    return 0;
}
