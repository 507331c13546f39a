/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <functional>
#include <thread>

static std::function<int()> callback = [] { return 1; };

int main()
{
    std::thread other([] { callback = [] { return 2; }; });
    int answer = callback();
    other.join();
    return answer == 0;
}
