/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* runs: 200 */
/* note: output of the program must not disturb the tool */
#include <pthread.h>
#include <stdio.h>

static void *speak(void *arg)
{
    printf("hello from %s\n", (char *)arg);
    fprintf(stderr, "error stream of %s\n", (char *)arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, speak, "one");
    pthread_create(&b, NULL, speak, "two");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    puts("done");
    return fflush(stdout);
}
