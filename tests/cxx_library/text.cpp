/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include <charconv>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_set>

using string = std::string;
static const char longer[] = "a text that is longer than the short strings";

CASE(string_append, string s, s.append("a"), s += "b")
CASE(string_append_against_size, string s{"a"}, s.append(longer), use(s.size()))
CASE(string_insert_against_find, string s{longer}, s.insert(0, "x"), use(s.find("short")))
CASE(string_erase_against_compare, string s{longer}, s.erase(0, 1), use(s == longer))
CASE(string_assign_against_copy, string s{"a"}, s = longer, use(string(s).size()))
CASE(string_resize_against_view, string s{"a"}, s.resize(40), use(std::string_view(s).size()))
CASE(string_swap, string s{"a"}; string t{longer}, s.swap(t), use(s.c_str()[0]))
CASE(string_push_back, string s, s.push_back('a'), s.push_back('b'))
CASE(string_pop_against_rfind, string s{"abc"}, s.pop_back(), use(s.rfind('a')))
CASE(string_to_number, string s{"12"}, s[0] = '3', use(std::stoi(s)))
CASE(string_hash, string s{longer}, s[0] = 'x', use(std::hash<string>()(s)))
CASE(string_in_set, std::unordered_set<string> s, s.insert("a"), use(s.count("b")))
CASE(wide_string_append, std::wstring s, s.append(L"a"), s.append(L"b"))
CASE(string_view_of_array, char a[8] = "abc", a[1] = 'x', use(std::string_view(a, 3) == "abc"))
CASE(ostringstream_two, std::ostringstream s, s << 1, s << "x")
CASE(ostringstream_against_str, std::ostringstream s, s << 1.5, use(s.str().size()))
CASE(ostringstream_put, std::ostringstream s, s.put('a'), s.put('b'))
CASE(ostringstream_write, std::ostringstream s, s.write("abc", 3), use(s.tellp() > 0))
CASE(istringstream_two, std::istringstream s{"1 2"}, int i; s >> i, int i; s >> i)
CASE(istringstream_getline, std::istringstream s{"a\nb\n"}, string t; std::getline(s, t), use(s.get()))
CASE(stringstream_both_ways, std::stringstream s, s << 1, int i; s >> i)
CASE(stream_flags, std::ostringstream s, s << std::hex, s << 10)
CASE(stream_width, std::ostringstream s, s << std::setw(4), s << 1)
CASE(stream_state, std::istringstream s{"a"}, s.setstate(std::ios::failbit), use(s.good()))
CASE(stream_locale, std::ostringstream s, s.imbue(std::locale::classic()), s << 1)
CASE(stream_exceptions, std::ostringstream s, s.exceptions(std::ios::badbit), s.exceptions(std::ios::goodbit))
CASE(streambuf_of_another, std::stringbuf b; std::ostringstream s, s.std::ios::rdbuf(&b), s << 1)
CASE(text_printed, string s{"abc"}, s[1] = 'x', std::cout << s << std::flush)
CASE(text_read, string s{"abc"}, std::istringstream("x") >> s, use(s.size()))
CASE(regex_match_of_string, string s{"abc"}, s[1] = 'x', use(std::regex_match(s, std::regex("a.c"))))
CASE(regex_assigned, std::regex r{"a"}, r = "b", use(std::regex_match("a", r)))
CASE(regex_replaced, string s{"abc"}, s.append("d"), use(std::regex_replace(s, std::regex("b"), "x").size()))
CASE(match_results, std::smatch m; string s{"abc"}, std::regex_search(s, m, std::regex("b")), use(m.size()))
CASE(to_chars_integer, char a[8] = "", std::to_chars(a, a + 8, 12), use(a[0]))
CASE(to_chars_double, char a[32] = "", std::to_chars(a, a + 32, 1.5), use(a[2]))
CASE(to_chars_precision, char a[32] = "", std::to_chars(a, a + 32, 1.5f, std::chars_format::fixed, 3), use(a[4]))
CASE(from_chars_text, char a[8] = "1.5", a[1] = '2', double d; use(std::from_chars(a, a + 3, d).ptr))
CASE(from_chars_value, double d = 0, const char a[] = "1.5"; std::from_chars(a, a + 3, d), use(d))
CASE(path_appended, std::filesystem::path p{"a"}, p /= "b", use(p.native().size()))
CASE(path_against_parts, std::filesystem::path p{"a/b"}, p += "c", use(p.filename().empty()))
CASE(path_replaced, std::filesystem::path p{"a/b.c"}, p.replace_extension("h"), use(p == "a/b.h"))
CASE(path_loop, std::filesystem::path p{"a/b"}, p.remove_filename(), for (auto &q : p) use(q.empty()))

CASES(ENTRY(string_append), ENTRY(string_append_against_size), ENTRY(string_insert_against_find),
      ENTRY(string_erase_against_compare), ENTRY(string_assign_against_copy),
      ENTRY(string_resize_against_view), ENTRY(string_swap), ENTRY(string_push_back),
      ENTRY(string_pop_against_rfind), ENTRY(string_to_number), ENTRY(string_hash), ENTRY(string_in_set),
      ENTRY(wide_string_append), ENTRY(string_view_of_array), ENTRY(ostringstream_two),
      ENTRY(ostringstream_against_str), ENTRY(ostringstream_put), ENTRY(ostringstream_write),
      ENTRY(istringstream_two), ENTRY(istringstream_getline), ENTRY(stringstream_both_ways),
      ENTRY(stream_flags), ENTRY(stream_width), ENTRY(stream_state), ENTRY(stream_locale),
      ENTRY(stream_exceptions), ENTRY(streambuf_of_another), ENTRY(text_printed), ENTRY(text_read),
      ENTRY(regex_match_of_string), ENTRY(regex_assigned), ENTRY(regex_replaced), ENTRY(match_results),
      ENTRY(to_chars_integer), ENTRY(to_chars_double), ENTRY(to_chars_precision), ENTRY(from_chars_text),
      ENTRY(from_chars_value), ENTRY(path_appended), ENTRY(path_against_parts), ENTRY(path_replaced),
      ENTRY(path_loop))
