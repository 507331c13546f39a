/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated double-free */
/* mode: dfs */
/* note: before main, where accesses are not examined, but frees are */
#include <cstdlib>

struct twice {
    char *block;
    twice() : block(static_cast<char *>(std::malloc(8)))
    {
        std::free(block);
        std::free(block);
    }
};
static twice object;

int main()
{
    return object.block == nullptr;
}
