/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* known: holds */
/* named: libc.so.6: printf */
/* note: a format with more values than are looked at: the function is named as not examined */
#include <pthread.h>
#include <stdio.h>

#define TEN "%d%d%d%d%d%d%d%d%d%d"
#define ONES 1, 1, 1, 1, 1, 1, 1, 1, 1, 1

static char text[4] = "abc";

static void *change(void *arg)
{
    text[0] = 'x';
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, change, NULL);
    printf(TEN TEN TEN TEN TEN TEN TEN "%s\n", ONES, ONES, ONES, ONES, ONES, ONES, ONES, text);
    pthread_join(t, NULL);
    return 0;
}
