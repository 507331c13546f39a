/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <cassert>
#include <iomanip>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex lock;
static std::string text;
static std::ostringstream out;

static void work(int number)
{
    std::lock_guard<std::mutex> guard(lock);
    text += std::to_string(number);
    text.insert(0, 20, '-');
    out << std::setw(3) << number << ' ' << 0.5 * number << ';';
}

int main()
{
    std::thread other(work, 1);
    work(2);
    other.join();
    assert(text.size() == 42 && (out.str() == "  1 0.5;  2 1;" || out.str() == "  2 1;  1 0.5;"));
}
