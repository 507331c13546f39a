/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: a detached thread uses a global string while main returns and destroys it */
#include <string>
#include <thread>

static std::string name("a name that is too long to be inside");

int main()
{
    std::thread t([] { name[0] = 'x'; });
    t.detach();
}
