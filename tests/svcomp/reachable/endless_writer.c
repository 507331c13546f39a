/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <pthread.h>
void reach_error(void)
{
    assert(0);
}

int flag;

void *blink(void *unused)
{
    while (1) {
        flag = 1;
        flag = 0;
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, blink, 0);
    if (flag)
        reach_error();
    return 0;
}
