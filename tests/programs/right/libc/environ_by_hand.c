/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* races: inconclusive */
/* note: what an execution changes in the environment is undone before the next one */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;
static char text[] = "NAME=value";
static atomic_int count;

static void *look(void *arg)
{
    assert(strcmp(getenv("NAME"), "valux") == 0);
    atomic_fetch_add(&count, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    assert(environ[0] && strcmp(environ[0], "A=b") != 0);
    assert(!getenv("NAME"));
    char *path = getenv("PATH");
    assert(path && *path != '*');
    *path = '*';
    environ[0] = "A=b";
    setenv("OTHER", "1", 1);
    setenv("OTHER", "2", 1);
    putenv(text);
    text[9] = 'x';
    unsetenv("OTHER");
    pthread_create(&t, NULL, look, NULL);
    look(NULL);
    pthread_join(t, NULL);
    clearenv();
    assert(!getenv("NAME"));
    return 0;
}
