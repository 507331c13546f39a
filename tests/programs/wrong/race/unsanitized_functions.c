/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* Functions that ask ThreadSanitizer to leave them alone are explored as all others. */
#include <pthread.h>

static int shared;

__attribute__((no_sanitize("thread"))) static void *write_one(void *unused)
{
    shared = 1;
    return unused;
}

__attribute__((no_sanitize_thread)) static void *write_two(void *unused)
{
    shared = 2;
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, write_one, NULL);
    pthread_create(&second, NULL, write_two, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
