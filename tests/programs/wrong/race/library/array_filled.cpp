/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* flags: -O2 */
/* note: the library fills bytes with __builtin_memset, which gcc would make instructions of, unseen */
#include <array>
#include <thread>

static std::array<char, 16> bytes;

int main()
{
    std::thread other([] { bytes.fill(1); });
    bytes.fill(2);
    other.join();
    return bytes[3] == 7;
}
