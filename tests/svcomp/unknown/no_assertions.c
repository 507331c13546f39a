/* SPDX-License-Identifier: Apache-2.0 */
#define NDEBUG
#include <assert.h>
#include <pthread.h>
void reach_error(void)
{
    assert(0);
}

int main(void)
{
    reach_error();
    return 0;
}
