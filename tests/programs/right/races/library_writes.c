/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* mode: all */
/* flags-plumb: --races=allow */
/* note: nobody announces what the C library writes */
#include <pthread.h>
#include <stdlib.h>

static char *end;
static int begun;

static void *parse(void *arg)
{
    end = NULL;
    begun = 1;
    strtol("12x", &end, 10);
    return end ? arg : &end;
}

int main(void)
{
    pthread_t t;
    void *wrong;
    pthread_create(&t, NULL, parse, NULL);
    pthread_join(t, &wrong);
    return begun ? wrong != NULL : 1;
}
