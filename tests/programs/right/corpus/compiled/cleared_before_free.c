/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static char *secret;
static atomic_int done;

static void *user(void *unused)
{
    (void)unused;
    int c = secret[1];
    (void)c;
    atomic_store(&done, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    secret = calloc(1, 16);
    pthread_create(&t, NULL, user, NULL);
    pthread_join(t, NULL);
    memset(secret, 0, 16);
    free(secret);
    return 0;
}
