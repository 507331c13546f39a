/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated crash|use-after-free */
/* mode: all */
/* note: a mapping is written after it was removed */
#include <sys/mman.h>

int main(void)
{
    char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    p[0] = 1;
    munmap(p, 4096);
    p[1] = 2;
    return 0;
}
