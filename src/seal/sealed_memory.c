/* SPDX-License-Identifier: Apache-2.0 */
#include "seal/sealed_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int sealed_memory_create(const char *name, size_t size)
{
    int memory = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0)
        return -1;
    if (ftruncate(memory, (off_t)size) == 0 &&
        fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return memory;
    int error = errno;
    close(memory);
    errno = error;
    return -1;
}
