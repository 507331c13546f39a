/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: dfs */
/* all: inconclusive */
/* Whose file it is depends on the order of two calls that are no steps. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* In the folder of this run: the number of the process is the same in all. */
static const char path[] = "first_to_create.tmp";
static atomic_int winner;

static void *create(void *number)
{
    int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (fd >= 0) {
        close(fd);
        winner = (int)(long)number;
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, create, (void *)1);
    pthread_create(&b, NULL, create, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    unlink(path);
    assert(winner == 1);
}
