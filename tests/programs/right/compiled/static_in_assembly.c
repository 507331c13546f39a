/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* machine: x86-64 */
/* note: assembly calls static variables by their names */
#include <assert.h>
#include <pthread.h>

static int counter __attribute__((used)) = 3;
static int table[4] = {1, 2, 3, 4};

__asm__(".pushsection .text\n"
        "read_counter:\n"
        "    movl counter(%rip), %eax\n"
        "    ret\n"
        ".popsection\n");
__attribute__((visibility("hidden"))) int read_counter(void);

static void *work(void *at)
{
    int third;
    __asm__("movl 8+table(%%rip), %0" : "=r"(third));
    assert(third == 3);
    assert(read_counter() == 3);
    return table[*(int *)at] == 2 ? at : NULL;
}

int main(void)
{
    pthread_t t;
    int at = 1;
    pthread_create(&t, NULL, work, &at);
    pthread_join(t, NULL);
    return 0;
}
