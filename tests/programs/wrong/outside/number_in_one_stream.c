/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: both threads may read the number before the other one has written it */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static FILE *f;
static void *inc(void *u)
{
    int n = 0;
    rewind(f);
    if (fscanf(f, "%d", &n) != 1)
        n = 0;
    rewind(f);
    fprintf(f, "%d", n + 1);
    fflush(f);
    return 0;
}
int main(void)
{
    pthread_t t;
    int n = 0;
    f = tmpfile();
    fprintf(f, "0");
    fflush(f);
    pthread_create(&t, 0, inc, 0);
    inc(0);
    pthread_join(t, 0);
    rewind(f);
    fscanf(f, "%d", &n);
    fclose(f);
    assert(n == 2);
}
