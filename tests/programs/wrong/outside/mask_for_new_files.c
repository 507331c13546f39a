/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: threads share the mask */
#include <assert.h>
#include <pthread.h>
#include <sys/stat.h>
static void *set(void *u)
{
    umask(077);
    return 0;
}
int main(void)
{
    pthread_t t;
    umask(0);
    pthread_create(&t, 0, set, 0);
    umask(022);
    pthread_join(t, 0);
    assert(umask(0) == 022);
}
