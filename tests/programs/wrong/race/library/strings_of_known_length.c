/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* flags: -O2 */
/* note: gcc would write the five bytes of strcpy itself, unseen */
#include <pthread.h>
#include <string.h>

static char name[8];

static void *rename_it(void *arg)
{
    strcpy(name, "abcd");
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, rename_it, NULL);
    strcpy(name, "efgh");
    pthread_join(t, NULL);
    return 0;
}
