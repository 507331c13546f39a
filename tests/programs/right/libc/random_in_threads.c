/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: threads draw in no order, and every execution sees the same numbers */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int drawn[2][6];
static atomic_int turns;

static void *draw(void *arg)
{
    int *to = drawn[*(int *)arg];
    for (int k = 0; k < 2; k++)
        to[k] = rand(), atomic_fetch_add(&turns, 1);
    to[2] = (int)random();
    srand(9);
    to[3] = rand();
    int fd = open("/dev/urandom", O_RDONLY);
    assert(fd >= 0 && read(fd, &to[4], sizeof to[4]) == sizeof to[4]);
    close(fd);
    return NULL;
}

int main(void)
{
    static int numbers[2] = {0, 1};
    pthread_t threads[2];
    int first = rand();
    srand(1);
    assert(rand() == first && first == 1804289383);
    FILE *device = fopen("/dev/urandom", "r");
    unsigned char a, b;
    assert(device && fread(&a, 1, 1, device) == 1);
    fclose(device);
    device = fopen("/dev/random", "r");
    assert(device && fread(&b, 1, 1, device) == 1 && a == b);
    fclose(device);
    for (int k = 0; k < 2; k++)
        pthread_create(&threads[k], NULL, draw, &numbers[k]);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    assert(turns == 4);
    assert(drawn[0][0] != drawn[1][0] && drawn[0][3] != drawn[1][3] && drawn[0][4] != drawn[1][4]);
    return 0;
}
