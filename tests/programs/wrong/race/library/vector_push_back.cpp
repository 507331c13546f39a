/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <thread>
#include <vector>

int main()
{
    std::vector<int> numbers;
    numbers.reserve(8);
    std::thread a([&numbers] { numbers.push_back(1); });
    std::thread b([&numbers] { numbers.push_back(2); });
    a.join();
    b.join();
}
