/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* flags: -O2 */
/* note: gcc would compare the bytes itself, clang calls bcmp */
#include <pthread.h>
#include <string.h>

static char key[16];

static void *set_key(void *arg)
{
    key[7] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, set_key, NULL);
    int equal = memcmp(key, "0123456789abcdef", sizeof key) == 0;
    pthread_join(t, NULL);
    return equal;
}
