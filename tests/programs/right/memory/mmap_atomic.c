/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: anonymous memory lies at the same place and is zero in every execution */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

enum { SIZE = 3 << 20 };

static atomic_int *counter;

static void *add(void *unused)
{
    (void)unused;
    int *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(own != MAP_FAILED && own[1] == 0);
    own[1] = 7;
    atomic_fetch_add(counter, own[1]);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(memory != MAP_FAILED && memory[SIZE - 1] == 0);
    memory[SIZE - 1] = 1;
    counter = (atomic_int *)memory;
    for (int k = 0; k < 2; k++)
        pthread_create(&t[k], NULL, add, NULL);
    for (int k = 0; k < 2; k++)
        pthread_join(t[k], NULL);
    assert(atomic_load(counter) == 14);
    assert(munmap(memory + 4096, SIZE - 4096) == 0);
    assert(mprotect(memory, 4096, PROT_READ) == 0 && memory[5] == 0);
    return munmap(memory, 4096);
}
