/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: neighbouring bit-fields are one memory location, here of three bytes */
#include <pthread.h>
#include <stddef.h>

static struct {
    unsigned first : 3, second : 9, third : 10;
    char last;
} fields;

static void *write_first(void *arg)
{
    fields.first = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, write_first, NULL);
    fields.third = 2;
    pthread_join(t, NULL);
    return 0;
}
