/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void *format(void *arg)
{
    char buffer[64];
    int n = *(int *)arg;
    sprintf(buffer, "thread %d: %.2f %s", n, n / 2.0, "text");
    assert(strstr(buffer, "text") == buffer + 15);
    volatile size_t room = 4;
    assert(snprintf(buffer, room, "%d", 123456) == 6);
    assert(strcmp(buffer, "123") == 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int one = 1, two = 2;
    pthread_create(&a, NULL, format, &one);
    pthread_create(&b, NULL, format, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
