/* SPDX-License-Identifier: Apache-2.0 */
/* Types of types, arrays in both. */
typedef pair { byte first; byte second[2] };
typedef table { pair rows[2]; byte used };
table t[2];
byte i;
active [2] proctype p()
{
    byte k;
    pair own;
    do
    :: atomic { t[i].used < 2 -> k = t[i].used; t[i].rows[k].second[1 - k] = k + 1; t[i].used++ }
    :: atomic { t[i].used > 0 -> t[i].used--; own.first = t[i].rows[t[i].used].second[0]; t[i].rows[t[i].used].second[0] = 0 }
       own.second[own.first & 1] = 1; own.first = 0; own.second[0] = 0; own.second[1] = 0; k = 0
    :: i = 1 - i
    od
}
