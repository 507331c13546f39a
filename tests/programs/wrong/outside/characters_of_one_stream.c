/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the order of what two threads write to a stream is nobody's to promise */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static FILE *f;
static void *put(void *u)
{
    fputc('a', f);
    return 0;
}
int main(void)
{
    pthread_t t;
    char line[8];
    f = tmpfile();
    pthread_create(&t, 0, put, 0);
    fputc('b', f);
    pthread_join(t, 0);
    rewind(f);
    fgets(line, 8, f);
    fclose(f);
    assert(line[0] == 'b');
}
