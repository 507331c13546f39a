/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <locale>
#include <sstream>
#include <thread>

struct comma : std::numpunct<char> {
    char do_decimal_point() const override
    {
        return ',';
    }
};

static void print(std::locale locale)
{
    std::ostringstream out;
    out.imbue(locale);
    out << 1.5;
    if (out.str() != "1,5")
        throw 1;
}

int main()
{
    std::locale locale(std::locale::classic(), new comma);
    std::thread other(print, locale);
    other.join();
    print(locale);
}
