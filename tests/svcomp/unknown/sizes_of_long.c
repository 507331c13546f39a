/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <pthread.h>
void reach_error(void)
{
    assert(0);
}

struct pair {
    char first;
    double second;
} pair;

int main(void)
{
    if ((char *)&pair.second - (char *)&pair == 4 || 4294967295U + 1UL == 0)
        reach_error();
    return 0;
}
