/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: operators on _Atomic objects are read-modify-writes */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int up, product = 1;
static _Atomic unsigned short small = 65535;

static void *work(void *arg)
{
    (void)arg;
    up++;
    up += 2;
    product *= 3;
    small++;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(up == 6 && product == 9 && small == 1);
    return 0;
}
