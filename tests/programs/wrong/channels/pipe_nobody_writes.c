/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* note: each waits for what the other one would write */
#include <pthread.h>
#include <unistd.h>

static int there[2], back[2];

static void *answer(void *unused)
{
    char c;
    if (read(there[0], &c, 1) == 1)
        write(back[1], &c, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    char c = 'x';
    pipe(there);
    pipe(back);
    pthread_create(&t, NULL, answer, NULL);
    if (read(back[0], &c, 1) == 1)
        write(there[1], &c, 1);
    pthread_join(t, NULL);
    return 0;
}
