/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <iostream>
#include <mutex>
#include <thread>

static std::mutex lock;

static void print(int number)
{
    std::lock_guard<std::mutex> guard(lock);
    std::cout << number << '\n';
}

int main()
{
    std::ios::sync_with_stdio(false);
    std::thread other(print, 1);
    print(2);
    other.join();
}
