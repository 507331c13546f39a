/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the file may be closed before the write */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
static int file;
static void *drop(void *u)
{
    syscall(SYS_close_range, file, file, 0);
    return 0;
}
int main(void)
{
    pthread_t t;
    file = memfd_create("file", 0);
    pthread_create(&t, 0, drop, 0);
    long written = syscall(SYS_write, file, "b", 1);
    pthread_join(t, 0);
    assert(written == 1);
}
