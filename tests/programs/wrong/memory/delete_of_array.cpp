/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated invalid-free */
/* note: the last owner, whichever it is, deletes an array as if it were one object */
#include <memory>
#include <thread>

int main()
{
    std::shared_ptr<int> numbers(new int[3]{1, 2, 3});
    std::thread t([numbers] { return *numbers; });
    numbers.reset();
    t.join();
}
