/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* The last one to set a variable wins; nothing orders the two calls, which POSIX does not allow. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *set(void *value)
{
    setenv("PLUMB_WINNER", value, 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, set, "first");
    pthread_create(&threads[1], NULL, set, "second");
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    assert(strcmp(getenv("PLUMB_WINNER"), "second") == 0);
    return 0;
}
