/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* mode: all */
/* note: what a thread that waits for a descriptor does when another one closes it is not modelled */
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *leave(void *unused)
{
    close(ends[0]);
    close(ends[1]);
    return unused;
}

int main(void)
{
    pthread_t t;
    char c;
    pipe(ends);
    pthread_create(&t, NULL, leave, NULL);
    read(ends[0], &c, 1);
    pthread_join(t, NULL);
    return 0;
}
