/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated crash */
#include <pthread.h>

char *volatile text = "a literal";

static void *work(void *arg)
{
    (void)arg;
    text[0] = 'A';
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
