/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <string.h>

static struct {
    pthread_mutex_t lock;
    size_t length;
    char text[32];
} builder = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void append(const char *text)
{
    pthread_mutex_lock(&builder.lock);
    size_t at = builder.length;
    memcpy(builder.text + at, text, strlen(text));
    builder.length = at + strlen(text);
    pthread_mutex_unlock(&builder.lock);
}

static void *one(void *unused)
{
    (void)unused;
    append("ab");
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    append("c");
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
