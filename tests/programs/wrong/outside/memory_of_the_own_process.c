/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: the process whose memory is written is this one */
#include <pthread.h>
#include <stddef.h>
#include <sys/uio.h>
#include <unistd.h>

static int number;

static void *writer(void *arg)
{
    int one = 1;
    struct iovec from = {&one, sizeof one}, to = {&number, sizeof number};
    process_vm_writev(getpid(), &from, 1, &to, 1, 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    number = 2;
    pthread_join(t, NULL);
    return 0;
}
