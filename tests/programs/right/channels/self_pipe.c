/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: one byte at most is in the pipe; a loop that waits for it and for data sees each request */
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int wake[2], requests;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *request(void *unused)
{
    pthread_mutex_lock(&lock);
    int is_first = requests++ == 0;
    pthread_mutex_unlock(&lock);
    if (is_first)
        assert(write(wake[1], "!", 1) == 1);
    return unused;
}

static int take(void)
{
    char c;
#ifdef WRONG
    pthread_mutex_lock(&lock);
    int taken = requests;
    pthread_mutex_unlock(&lock);
    assert(read(wake[0], &c, 1) == 1);
    pthread_mutex_lock(&lock);
    requests -= taken;
    pthread_mutex_unlock(&lock);
#else
    assert(read(wake[0], &c, 1) == 1);
    pthread_mutex_lock(&lock);
    int taken = requests;
    requests = 0;
    pthread_mutex_unlock(&lock);
#endif
    return taken;
}

int main(void)
{
    pthread_t t[2];
    int served = 0, other[2];
    pipe(wake);
    pipe(other);
    for (int k = 0; k < 2; k++)
        pthread_create(&t[k], NULL, request, NULL);
    struct pollfd files[] = {{.fd = wake[0], .events = POLLIN}, {.fd = other[0], .events = POLLIN}};
    while (served < 2) {
        assert(poll(files, 2, -1) == 1 && files[0].revents == POLLIN && files[1].revents == 0);
        served += take();
    }
    for (int k = 0; k < 2; k++)
        pthread_join(t[k], NULL);
    return 0;
}
