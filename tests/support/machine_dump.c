/* SPDX-License-Identifier: Apache-2.0 */
/* usage: machine_dump FILE OFFSET SIZE ADDRESS
 * A line for each instruction of a part of a file: address, length, flow, target, then what is done to memory, how many
 * bytes, whether atomically, and where. For tests/scripts/machine.py. */
#include "machine/instruction.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

static const char *const flows[] = {"on", "branch", "jump", "call", "return", "end"};
static const char *const accesses[] = {"none", "operand", "copy", "unknown"};

static int number(uint8_t r)
{
    return r == MACHINE_NO_REGISTER ? -1 : r;
}

static void print(const struct machine_instruction *i)
{
    const struct machine_memory *m = &i->memory;
    printf("%" PRIx64 " %d %s %" PRIx64 " %s %s%s %u %d", i->address, (int)(i->next - i->address),
           flows[i->flow], i->target, accesses[i->access], m->reads ? "r" : "", m->writes ? "w" : "-",
           m->size, i->locked);
    printf(" %d %d %d %" PRId64 " %d %d\n", number(m->base), number(m->index), m->scale, m->distance,
           m->relative, m->own);
}

int main(int argc, char **argv)
{
    struct stat about;
    int file = argc == 5 ? open(argv[1], O_RDONLY) : -1;
    if (file < 0 || fstat(file, &about) != 0 || !machine_prepare())
        return 2;
    const char *bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    uint64_t offset = strtoull(argv[2], NULL, 0), size = strtoull(argv[3], NULL, 0),
             address = strtoull(argv[4], NULL, 0);
    if (bytes == MAP_FAILED || offset > (uint64_t)about.st_size || size > (uint64_t)about.st_size - offset)
        return 2;
    struct machine_instruction i;
    for (uint64_t at = 0; at < size; at = i.next - address) {
        if (machine_decode_at(bytes + offset + at, size - at, address + at, &i)) {
            print(&i);
        } else {
            printf("%" PRIx64 " 1 bad\n", address + at);
            i.next = address + at + 1;
        }
    }
    return 0;
}
