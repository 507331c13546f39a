/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: a private mapping of a file, changed by each execution */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

static char *text;

static void *work(void *unused)
{
    (void)unused;
    atomic_fetch_add((_Atomic char *)&text[1], 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int fd = open("/proc/self/exe", O_RDONLY);
    text = mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    close(fd);
    assert(text != MAP_FAILED && text[1] == 'E');
    pthread_create(&t, NULL, work, NULL);
    atomic_fetch_add((_Atomic char *)&text[1], 1);
    pthread_join(t, NULL);
    assert(text[1] == 'G');
    return 0;
}
