/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: threads share the current folder */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
static void *set(void *u)
{
    chdir("/usr");
    return 0;
}
int main(void)
{
    pthread_t t;
    char at[100];
    pthread_create(&t, 0, set, 0);
    chdir("/");
    pthread_join(t, 0);
    assert(strcmp(getcwd(at, sizeof at), "/") == 0);
}
