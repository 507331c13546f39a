/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the system call has no function of its own in the program */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
#include <sys/syscall.h>
static void *set(void *u)
{
    syscall(SYS_umask, 077);
    return 0;
}
int main(void)
{
    pthread_t t;
    syscall(SYS_umask, 0);
    pthread_create(&t, 0, set, 0);
    syscall(SYS_umask, 022);
    pthread_join(t, 0);
    assert(syscall(SYS_umask, 0) == 022);
}
