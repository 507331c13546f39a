/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

int value, address;

void *keep(void *unused)
{
    address = (int)&value;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, keep, 0);
    pthread_join(t, 0);
    if (address != (int)&value)
        reach_error();
    return 0;
}
