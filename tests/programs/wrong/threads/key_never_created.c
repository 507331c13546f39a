/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: the key is a static variable that was never set */
#include <pthread.h>

static pthread_key_t key;

int main(void)
{
    pthread_setspecific(key, &key);
    return 0;
}
