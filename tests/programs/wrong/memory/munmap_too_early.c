/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|crash */
/* mode: all */
/* note: memory is unmapped while another thread may still write it */
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

static int *memory;

static void *work(void *unused)
{
    (void)unused;
    memory[3] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&t, NULL, work, NULL);
    munmap(memory, 4096);
    pthread_join(t, NULL);
    return 0;
}
