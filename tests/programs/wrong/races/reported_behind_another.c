/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* flags-plumb: --races=report --suppress 'race:variable hint' */
/* sc: holds */
/* tso: holds */
/* note: only an execution that goes on after the first race has the second */
#include <pthread.h>

static volatile int hint;
int value;

static void *write_it(void *arg)
{
    value = 1;
    hint = 1;
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, write_it, NULL);
    int found = hint ? value : 0;
    pthread_join(a, NULL);
    return found > 1;
}
