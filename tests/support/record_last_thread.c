/* SPDX-License-Identifier: Apache-2.0 */
/* The first thread ends by pthread_exit: the process ends when the other one does, and its recording is complete. */
#include <plumb/record.h>

#include <pthread.h>

static void *work(void *unused)
{
    for (int i = 1; i <= 100; i++) {
        plumb_call("counter", "fetch_add", 1);
        plumb_return(i - 1);
    }
    return unused;
}

int main(int count, char **words)
{
    pthread_t thread;
    if (count != 2 || plumb_record_open(words[1]) != 0 || pthread_create(&thread, NULL, work, NULL) != 0)
        return 1;
    pthread_detach(thread);
    pthread_exit(NULL);
}
