/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated crash */
/* mode: all */
/* note: memory of a mapping that is gone */
#include <stddef.h>
#include <sys/mman.h>

int seen;

int main(void)
{
    int *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memory[3] = 1;
    munmap(memory, 4096);
    seen = memory[3];
    return 0;
}
