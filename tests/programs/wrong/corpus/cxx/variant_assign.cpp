/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: a variant changes its kind while another thread asks for it */
#include <mutex>
#include <string>
#include <thread>
#include <variant>

static std::mutex lock;
std::variant<int, std::string> cell(1);
size_t seen;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    cell = std::string("text");
}

static void two()
{
    seen = cell.index();
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
