/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: dfs */
/* known: holds */
/* named: other answers of time not tried */
#include <assert.h>
#include <time.h>
int main(void)
{
    assert(time(0) % 2 == 0);
}
