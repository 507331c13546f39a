/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: the reader throws torn values away, but reading them was a race already */
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
int left, right;
int difference;

static void *writer(void *arg)
{
    (void)arg;
    atomic_fetch_add(&sequence, 1);
    left = 1;
    right = 1;
    atomic_fetch_add(&sequence, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    unsigned before;
    pthread_create(&t, NULL, writer, NULL);
    do {
        before = atomic_load(&sequence);
        difference = left - right;
    } while ((before & 1) || atomic_load(&sequence) != before);
    pthread_join(t, NULL);
    return 0;
}
