/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use */
/* mode: dfs */
/* note: the page is unmapped while the mutex in it is locked */
#include <pthread.h>
#include <sys/mman.h>

int main(void)
{
    pthread_mutex_t *mutex = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mutex == MAP_FAILED)
        return 0;
    pthread_mutex_init(mutex, NULL);
    pthread_mutex_lock(mutex);
#ifdef RIGHT
    pthread_mutex_unlock(mutex);
    pthread_mutex_destroy(mutex);
#endif
    munmap(mutex, 4096);
    return 0;
}
