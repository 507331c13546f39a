/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: who makes the folder has the lock, which the other one may find */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[64];
static int count;

static void *work(void *unused)
{
    if (mkdir(path, 0700) == 0) {
        count++;
        rmdir(path);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    char folder[] = "/tmp/plumb-XXXXXX";
    assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/lock", folder);
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(count >= 1);
    rmdir(folder);
    return 0;
}
