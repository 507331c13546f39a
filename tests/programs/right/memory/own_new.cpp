/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the program's operator new calls malloc, and the library's delete calls free */
#include <cstdlib>
#include <new>

void *operator new(std::size_t size)
{
    if (void *block = std::malloc(size))
        return block;
    throw std::bad_alloc();
}

int main()
{
    delete new int(3);
    delete[] new int[2];
    std::free(::operator new(4));
}
