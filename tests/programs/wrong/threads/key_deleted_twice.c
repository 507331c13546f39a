/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: the second one deletes nothing, or a key of others */
#include <pthread.h>

static pthread_key_t key;

int main(void)
{
    pthread_key_create(&key, NULL);
    pthread_key_delete(key);
    pthread_key_delete(key);
    return 0;
}
