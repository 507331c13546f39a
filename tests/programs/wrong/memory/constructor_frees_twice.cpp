/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated double-free */
/* known: holds */
/* named: constructors, before main */
/* mode: all */
/* note: what runs before main is named, and not examined */
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
