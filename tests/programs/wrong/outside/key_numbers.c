/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: who makes a key first gets the lower number */
#include <assert.h>
#include <pthread.h>
static pthread_key_t a, b;
static void *make(void *u)
{
    pthread_key_create(&a, 0);
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, make, 0);
    pthread_key_create(&b, 0);
    pthread_join(t, 0);
    assert(b < a);
}
