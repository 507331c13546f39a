/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: the byte is sent before the data that it announces is there */
#include <pthread.h>
#include <unistd.h>

static int ends[2], data;

static void *produce(void *unused)
{
    write(ends[1], "x", 1);
    data = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    char c;
    pipe(ends);
    pthread_create(&t, NULL, produce, NULL);
    int seen = read(ends[0], &c, 1) == 1 ? data : 0;
    pthread_join(t, NULL);
    return seen > 1;
}
