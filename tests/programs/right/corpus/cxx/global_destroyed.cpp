/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <string>
#include <thread>

static std::string name("a name that is too long to be inside");

int main()
{
    std::thread t([] { name[0] = 'x'; });
    t.join();
}
