/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: a string is copied while another thread writes one of its characters */
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
std::string name("a name that is too long to be inside");
std::string copies[2];

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    copies[0] = name;
}

static void two()
{
    name[0] = 'b';
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
