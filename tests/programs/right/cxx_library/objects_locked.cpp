/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <any>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>

using namespace std::chrono_literals;

static std::mutex lock;
static std::shared_ptr<int> pointer = std::make_shared<int>(0);
static std::function<int(int)> function = [](int x) { return x; };
static std::optional<int> maybe;
static std::variant<int, double> either;
static std::any anything;
static std::chrono::steady_clock::time_point last;
static std::chrono::milliseconds total{};

static void work(int number)
{
    std::lock_guard<std::mutex> guard(lock);
    pointer = std::make_shared<int>(*pointer + function(number));
    function = [number](int x) { return x + number; };
    maybe = maybe ? *maybe + 1 : number;
    if (std::holds_alternative<int>(either))
        either = 1.5;
    anything = number;
    last = std::chrono::steady_clock::now();
    total += 2ms;
}

int main()
{
    std::thread other(work, 1);
    work(2);
    other.join();
    return total != 4ms || std::any_cast<int>(anything) == 0;
}
