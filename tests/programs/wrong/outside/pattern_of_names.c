/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: another thread makes what a pattern, or a path, is looked up for, before or after */
#define _GNU_SOURCE
#include <assert.h>
#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/plumb-pattern-XXXXXX", inside[64], pattern[64];

static void *make(void *unused)
{
    mkdir(inside, 0700);
    return unused;
}

int main(void)
{
    glob_t found = {0};
    pthread_t t;
    if (!mkdtemp(folder))
        return 0;
    snprintf(inside, sizeof inside, "%s/a", folder);
    snprintf(pattern, sizeof pattern, "%s/*", folder);
    pthread_create(&t, NULL, make, NULL);
#ifdef PATH
    char *path = canonicalize_file_name(inside);
    int is_there = path != NULL;
    free(path);
#else
    int is_there = glob(pattern, 0, NULL, &found) == 0;
    globfree(&found);
#endif
    pthread_join(t, NULL);
    rmdir(inside);
    rmdir(folder);
    assert(!is_there);
    return 0;
}
