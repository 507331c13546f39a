/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated invalid-free */
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
    char *volatile inner = (char *)arg + 16;
    free(inner);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char *p = malloc(64);
    p[0] = 1;
    pthread_create(&t, NULL, work, p);
    pthread_join(t, NULL);
    free(p);
    return 0;
}
