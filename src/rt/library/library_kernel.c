/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the system in which a number decides what their arguments are. */
#include "rt/library/library.h"

#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>

enum { NAME_SIZE = 16, PAGE = 4096 };

LIBRARY_DO(prctl)
{
    uint64_t out = library_argument(c, 2);
    switch (library_argument(c, 1)) {
    case PR_SET_NAME: library_read_string(c, out, strnlen((const char *)out, NAME_SIZE - 1) + 1); break;
    case PR_GET_NAME: library_access(c, out, NAME_SIZE, true); break;
    case PR_GET_PDEATHSIG:
    case PR_GET_CHILD_SUBREAPER:
    case PR_GET_TSC: library_access(c, out, sizeof(int), true); break;
    case PR_GET_TID_ADDRESS: library_access(c, out, sizeof(void *), true); break;
    default: break;
    }
}

LIBRARY_DO(fcntl)
{
    uint64_t out = library_argument(c, 3);
    switch ((int)library_argument(c, 2)) {
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_SETLK:
    case F_OFD_SETLKW: library_access(c, out, sizeof(struct flock), false); break;
    case F_GETLK:
    case F_OFD_GETLK: library_access(c, out, sizeof(struct flock), true); break;
    case F_SETOWN_EX: library_access(c, out, sizeof(struct f_owner_ex), false); break;
    case F_GETOWN_EX: library_access(c, out, sizeof(struct f_owner_ex), true); break;
    case F_GET_RW_HINT:
    case F_GET_FILE_RW_HINT: library_access(c, out, sizeof(uint64_t), true); break;
    case F_SET_RW_HINT:
    case F_SET_FILE_RW_HINT: library_access(c, out, sizeof(uint64_t), false); break;
    default: break;
    }
}

/* A byte for each page. */
LIBRARY_DO(mincore)
{
    library_access(c, library_argument(c, 3), (library_argument(c, 2) + PAGE - 1) / PAGE, true);
}
