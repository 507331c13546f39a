/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated abort */
/* note: std::terminate without an exception */
#include <thread>

int main()
{
    std::thread forgotten([] {});
}
