/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* named: system calls: ioprio_get */
#define _GNU_SOURCE
#include <unistd.h>
#include <sys/syscall.h>
int main(void)
{
    syscall(SYS_ioprio_get, 1, 0);
}
