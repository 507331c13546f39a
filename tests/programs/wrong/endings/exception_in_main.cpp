/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated exception */
#include <string>
#include <thread>

int main()
{
    std::string text = "short";
    std::thread t([] {});
    t.join();
    return text.at(50);
}
