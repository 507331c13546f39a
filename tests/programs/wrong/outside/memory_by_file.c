/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* note: a thread writes a variable by the file that is the memory of the process */
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

static int number;

static void *writer(void *arg)
{
    int one = 1, memory = open("/proc/self/mem", O_RDWR);
    ssize_t size = pwrite(memory, &one, sizeof one, (off_t)(intptr_t)&number);
    close(memory);
    return size < 0 ? NULL : arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    number = 2;
    pthread_join(t, NULL);
    return 0;
}
