/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: rounds of the loop end executions in which the stream stays open */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static FILE *f;
static atomic_int done;
static void *put(void *u)
{
    fputc('a', f);
    fflush(f);
    atomic_store(&done, 1);
    return 0;
}
int main(void)
{
    pthread_t t;
    f = tmpfile();
    assert(f);
    pthread_create(&t, 0, put, 0);
    while (!atomic_load(&done))
        ;
    rewind(f);
    assert(fgetc(f) == 'a');
    pthread_join(t, 0);
    fclose(f);
}
