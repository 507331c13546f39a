/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *produce(void *unused)
{
    ssize_t sent = write(ends[1], "x", 1);
    assert(sent == 1);
    return unused;
}

int main(void)
{
    pthread_t a;
    char c = 0;
    int made = pipe(ends);
    assert(made == 0);
    pthread_create(&a, NULL, produce, NULL);
    ssize_t got = read(ends[0], &c, 1);
    assert(got == 1 && c == 'x');
    pthread_join(a, NULL);
    close(ends[0]);
    close(ends[1]);
}
