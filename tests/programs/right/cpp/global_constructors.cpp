/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: objects built before main allocate; every execution begins with the same contents */
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::vector<int> numbers = {1, 2, 3};
static std::string text = "a global text that lives on the heap";
static std::mutex lock;

static void extend()
{
    std::lock_guard guard(lock);
    numbers.push_back(4);
    text += '!';
}

int main()
{
    assert(numbers.size() == 3 && text.back() == 'p');
    std::thread a(extend), b(extend);
    a.join();
    b.join();
    assert(numbers.size() == 5 && text.size() == 38);
}
