/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: texts of known errors are constants */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <assert.h>
static void *f(void *u)
{
    const char *s = strerror(ENOENT);
    assert(s[0] == 'N');
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    f(0);
    pthread_join(t, 0);
}
