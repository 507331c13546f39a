#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: sandbox.sh PLUMB
# What --sandbox keeps a program from, and that nothing of a run stays in the folder for temporary files: after any end but SIGKILL, and
# after that the next run removes it.
set -uo pipefail

[ $# -eq 1 ] && [ -x "$1" ] || { echo "usage: sandbox.sh PLUMB" >&2 && exit 2; }
plumb=$(readlink -f "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir tmp home
export TMPDIR=$work/tmp HOME=$work/home
failed=0

complain() {
    echo "FAILED $*"
    failed=$((failed + 1))
}

cat >touching.c <<'END'
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int count;

static void tell(const char *what, long result)
{
    count += result >= 0;
    printf("%s: %s\n", what, result >= 0 ? "done" : strerror(errno));
}

static void *work(void *unused)
{
    return unused;
}

int main(void)
{
    char path[300];
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    snprintf(path, sizeof path, "%s/made", getenv("HOME"));
    tell("a socket", socket(AF_INET, SOCK_STREAM, 0));
    tell("a local socket", socket(AF_UNIX, SOCK_STREAM, 0));
    tell("a pair of sockets", socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0}));
    tell("a call of newer systems (fchmodat2)", syscall(452, AT_FDCWD, "kept", 0777, 0));
    tell("a file", open(path, O_WRONLY | O_CREAT, 0600));
    tell("a folder", mkdir(path, 0700));
    tell("unlink", unlink("kept"));
    tell("rename", rename("kept", path));
    tell("chmod", chmod("kept", 0777));
    tell("truncate", truncate("kept", 0));
    // Nothing is there, which root is told without --sandbox: a mount would outlive the test.
    tell("mount", syscall(SYS_mount, "none", "nowhere", "tmpfs", 0, 0) < 0 && errno == ENOENT ? 0 : -1);
    printf("reading: %s\n", open("kept", O_RDONLY) >= 0 ? "done" : strerror(errno));
    return count != EXPECTED;
}
END
echo content >kept
chmod 600 kept
"$plumb" check touching.c --sandbox -- -DEXPECTED=0 >out.txt 2>&1 || { complain "check" && cat out.txt; }
grep -q 'holds' out.txt || { complain "it does not hold" && cat out.txt; }
[ "$(cat kept)" = content ] && [ "$(stat -c %a kept)" = 600 ] || complain "kept has changed"
[ -z "$(ls -A home)" ] || complain "something was made in \$HOME"
# The same program is not hindered without, so that the test means something.
"$plumb" check touching.c -q -- -DEXPECTED=-1 >out.txt 2>&1
[ -e home/made ] || { complain "without --sandbox nothing was made" && cat out.txt; }
rm -rf home/made
echo content >kept

"$plumb" check touching.c --sandbox --observations o.txt >out.txt 2>&1
[ $? -eq 2 ] && grep -q 'sandbox forbids' out.txt || complain "--observations"

# ---- what stays behind

cat >endless.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *work(void *unused)
{
    for (int i = 0; i < 12; i++)
        x++;
    return unused;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
END
end_by() { # SIGNAL
    "$plumb" check endless.c -q --time 30 >/dev/null 2>&1 &
    local tool=$! tries=0
    until [ -n "$(find tmp -type f -perm -u+x 2>/dev/null)" ] || [ $((tries++)) -gt 200 ]; do
        sleep 0.05
    done
    kill -s "$1" "$tool"
    [ "$1" = KILL ] || kill -s "$1" "$tool" 2>/dev/null # the first INT or TERM asks for the answer so far
    wait "$tool" 2>/dev/null
}
for signal in TERM HUP USR1 ALRM; do # INT and QUIT are ignored in the background
    end_by $signal
    [ -z "$(ls -A tmp)" ] || { complain "after SIG$signal: $(ls -A tmp)" && rm -rf tmp/*; }
done
"$plumb" check touching.c --sandbox -- -DEXPECTED=0 2>&1 | true
[ -z "$(ls -A tmp)" ] || complain "after a closed pipe: $(ls -A tmp)"
end_by KILL
[ -n "$(ls -A tmp)" ] || complain "SIGKILL left nothing: the test tests nothing"
mkdir tmp/plumb-abcdef tmp/plumb-cc.backup # not made by the tool
"$plumb" check touching.c -q --sandbox -- -DEXPECTED=0 >/dev/null 2>&1
[ "$(ls tmp | paste -sd ' ')" = "plumb-abcdef plumb-cc.backup" ] || complain "after the next run: $(ls -A tmp)"
[ "$failed" -eq 0 ]
