/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: regexec searches a text that another thread writes */
#include <pthread.h>
#include <regex.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
char text[8] = "abc";
int seen;

static void *one(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    text[1] = 'x';
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    regex_t r;
    if (!regcomp(&r, "b", 0)) {
        seen = regexec(&r, text, 0, NULL, 0);
        regfree(&r);
    }
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
