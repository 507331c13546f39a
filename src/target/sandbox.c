/* SPDX-License-Identifier: Apache-2.0 */
#include "target/sandbox.h"

#include "target/sandbox_filter.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The filter is built in the parent, where that is simple; the child knows its own number. */
static struct sandbox_filter filter;
static bool is_on;

/* ------------------------------------------------------------------ Landlock, where the system has it */

/* As newer systems have it than the headers. */
struct rules {
    uint64_t files, network, scoped;
};
enum { SCOPE_ABSTRACT_SOCKETS = 1, SCOPE_SIGNALS = 2, VERSION_SCOPES = 6 };

static long landlock_version(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

/* All that changes files, a second time. What matters more: a process in there may not look into one outside, through /proc either, and
 * sends no signals there. */
static bool enter_landlock(void)
{
    long version = landlock_version();
    bool has_scopes = version >= VERSION_SCOPES;
    const struct rules rules = {.files = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                         LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                         LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                         LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                         LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM,
                                .scoped = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS};
    if (version < 1)
        return true;
    long set = syscall(SYS_landlock_create_ruleset, &rules,
                       has_scopes ? sizeof rules : offsetof(struct rules, network), 0);
    bool entered = set >= 0 && syscall(SYS_landlock_restrict_self, set, 0) == 0;
    if (set >= 0)
        close((int)set);
    return entered;
}

/* ------------------------------------------------------------------ use */

bool sandbox_begin(struct diagnostic *why)
{
    const uint32_t action = SECCOMP_RET_ERRNO;
    if (is_on)
        return true;
    if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) != 0)
        return diagnostic_set(
            why, PL_CANNOT_RUN, 0, 0,
            "--sandbox: this system has no filters of system calls (seccomp): %s. A container "
            "or bubblewrap around the tool confines a program, too",
            strerror(errno));
    sandbox_filter_build(&filter, landlock_version() >= VERSION_SCOPES);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* where there is no Landlock: nobody looks into the tool */
    is_on = true;
    return true;
}

/* Root without the rights of root: what capabilities allow no filter lists. */
static bool drop_capabilities(void)
{
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return syscall(SYS_capset, &head, none) == 0;
}

bool sandbox_enter(void)
{
    if (!is_on)
        return true;
    sandbox_filter_set_own(&filter, (uint32_t)getpid());
    const struct sock_fprog program = {filter.length, filter.list};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && drop_capabilities() && enter_landlock() &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
