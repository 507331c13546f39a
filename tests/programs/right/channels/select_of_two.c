/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: whichever pipe has something is read, until both are at their end */
#include <assert.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int a[2], b[2];

static void *write_to(void *end)
{
    write(*(int *)end, "xy", 2);
    close(*(int *)end);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int got = 0, ends = 0;
    pipe(a);
    pipe(b);
    pthread_create(&t[0], NULL, write_to, &a[1]);
    pthread_create(&t[1], NULL, write_to, &b[1]);
    int from[] = {a[0], b[0]};
    while (ends < 2) {
        fd_set set;
        char text[4];
        FD_ZERO(&set);
        for (int k = 0; k < 2; k++)
            if (from[k] >= 0)
                FD_SET(from[k], &set);
        assert(select(b[1] + 1, &set, NULL, NULL, NULL) > 0);
        for (int k = 0; k < 2; k++) {
            ssize_t n = from[k] >= 0 && FD_ISSET(from[k], &set) ? read(from[k], text, sizeof text) : -1;
            got += n > 0 ? (int)n : 0;
            ends += n == 0;
            from[k] = n == 0 ? -1 : from[k];
        }
    }
    assert(got == 4);
    for (int k = 0; k < 2; k++)
        pthread_join(t[k], NULL);
    return 0;
}
