/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the program's operator delete calls free; the library's new calls malloc */
#include <cstdlib>
#include <new>

void operator delete(void *block) noexcept
{
    std::free(block);
}
void operator delete(void *block, std::size_t) noexcept
{
    std::free(block);
}

int main()
{
    delete new int(3);
    delete[] new int[2];
}
