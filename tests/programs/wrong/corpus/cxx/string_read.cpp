/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: one thread searches a string that the other one extends */
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
std::string text("abc");
size_t seen;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    text += "a longer text than fits inside";
}

static void two()
{
    seen = text.find("c");
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
