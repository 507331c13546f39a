/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the text may go to the other file */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
static int file, null;
static void *replace(void *u)
{
    dup2(null, file);
    return 0;
}
int main(void)
{
    pthread_t t;
    file = memfd_create("file", 0);
    null = open("/dev/null", O_RDWR);
    int same = dup(file);
    pthread_create(&t, 0, replace, 0);
    dprintf(file, "b");
    pthread_join(t, 0);
    assert(lseek(same, 0, SEEK_END) == 1);
}
