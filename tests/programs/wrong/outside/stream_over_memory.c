/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static FILE *f;
static void *put(void *u)
{
    fputs("a", f);
    return 0;
}
int main(void)
{
    pthread_t t;
    char *text;
    size_t size;
    f = open_memstream(&text, &size);
    pthread_create(&t, 0, put, 0);
    fputs("b", f);
    pthread_join(t, 0);
    fclose(f);
    char first = text[0];
    free(text);
    assert(first == 'b');
}
