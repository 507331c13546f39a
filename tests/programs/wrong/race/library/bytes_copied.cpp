/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* flags: -O2 */
/* note: the library copies characters with __builtin_memcpy, which gcc would make instructions of, unseen */
#include <thread>

static char text[16];

static void copy(const char *from)
{
    __builtin_memcpy(text, from, 11);
}

int main()
{
    std::thread other([] { copy("0123456789"); });
    copy("abcdefghij");
    other.join();
    return text[3] == 7;
}
