/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: adjacent bit-fields are one memory location */
#include <pthread.h>

struct {
    unsigned a : 4, b : 4;
} flags;

static void *set_b(void *arg)
{
    (void)arg;
    flags.b = 5;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set_b, 0);
    flags.a = 9;
    pthread_join(t, 0);
    return 0;
}
