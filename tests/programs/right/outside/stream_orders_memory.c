/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a stream locks itself: what was written before is seen by the thread that reads the character */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *f;
static int data;

static void *tell(void *unused)
{
    data = 1;
    fputs("x", f);
    rewind(f);
    return unused;
}

int main(void)
{
    pthread_t t;
    f = tmpfile();
    pthread_create(&t, NULL, tell, NULL);
    if (fgetc(f) == 'x')
        assert(data == 1);
    pthread_join(t, NULL);
    fclose(f);
    return 0;
}
