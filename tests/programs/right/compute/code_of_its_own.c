/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* machine: x86-64 */
/* note: nothing announces what code does that the program makes at run time */
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

static int n;
static void (*increment)(int *);

static void *work(void *arg)
{
    increment(&n);
    return arg;
}

int main(void)
{
    static const unsigned char code[] = {0xff, 0x07, 0xc3};
    void *room = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_t t;
    memcpy(room, code, sizeof code);
    increment = (void (*)(int *))room;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
