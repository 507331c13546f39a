/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a value of a deleted key */
#include <threads.h>

static tss_t key;

int main(void)
{
    tss_create(&key, NULL);
    tss_delete(key);
    tss_get(key);
    return 0;
}
