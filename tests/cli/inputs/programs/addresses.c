/* SPDX-License-Identifier: Apache-2.0 */
/* An address that the system chooses, as a number. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
atomic_long s;
static void *f(void *x)
{
    void *p = (void *)syscall(SYS_mmap, NULL, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    atomic_store(&s, (long)p);
    atomic_load(&s);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, f, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
