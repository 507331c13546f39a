#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: builtins.sh [ROOT [COMPILER...]]
# What compilers know about functions of the C library does not hide what these access: each is called, its length known or
# not, its result used or not. A function of the program for each call; in its code there has to be one of the C library.
set -euo pipefail

root=$(cd "${1:-.}" && pwd)
# shellcheck source=tests/support/skips.sh
source "$root/tests"/support/skips.sh
compilers=("${@:2}")
[ $# -gt 1 ] || compilers=(gcc clang)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0 count=0

calls=(
    'memcpy(s, "abc", 4)' 'memmove(s, "abc", 4)' 'memset(s, 0, 4)' 'mempcpy(s, "abc", 4)' 'bzero(s, 4)' 'bcopy("abc", s, 4)'
    'strcpy(s, "abc")' 'stpcpy(s, "abc")' 'strncpy(s, "abc", 4)' 'stpncpy(s, "abc", 4)' 'strcat(s, "abc")' 'strncat(s, "abc", 2)'
    'sprintf(s, "abc")' 'snprintf(s, 9, "abc")'
)
# As functions only: what a user calls by __builtin_strlen for nothing, the front ends drop.
pure=(
    'memcmp(s, "abc", 4)' 'bcmp(s, "abc", 4)' 'strcmp(s, "a")' 'strncmp(s, "ab", 2)' 'strlen(s)' 'strnlen(s, 3)' 'memchr(s, 97, 4)'
    'strchr(s, 97)' 'strrchr(s, 97)' 'index(s, 97)' 'rindex(s, 97)' 'strstr(s, "a")' 'strspn(s, "a")' 'strcspn(s, "a")' 'strpbrk(s, "a")'
    'strcasecmp(s, "a")' 'strncasecmp(s, "a", 1)' 'strdup(s)' 'strndup(s, 3)'
)
checked=(
    'memcpy_chk(s, "abc", 4, 16)' 'memmove_chk(s, "abc", 4, 16)' 'memset_chk(s, 0, 4, 16)' 'mempcpy_chk(s, "abc", 4, 16)'
    'strcpy_chk(s, "abc", 16)' 'stpcpy_chk(s, "abc", 16)' 'strncpy_chk(s, "abc", 4, 16)' 'stpncpy_chk(s, "abc", 4, 16)'
    'strcat_chk(s, "abc", 16)' 'strncat_chk(s, "abc", 2, 16)' 'sprintf_chk(s, 0, 16, "abc")' 'snprintf_chk(s, 9, 0, 16, "abc")'
)

{
    printf '#include <%s>\n' stdio.h string.h strings.h
    echo 'char s[16];'
    for call in "${calls[@]}" "${pure[@]}"; do echo "void use_${call%%(*}(void) { (void)$call; }"; done
    for call in "${calls[@]}"; do
        echo "void use_builtin_${call%%(*}(void) { (void)__builtin_$call; }"
    done
    for call in "${checked[@]}"; do echo "void use_${call%%(*}(void) { (void)__builtin___$call; }"; done
} >program.c

look() { # COMPILER: functions in whose code nothing of the C library is called
    PLUMB_CC=$1 "$root/build/bin/plumb-cc" -D_GNU_SOURCE -w -c program.c -o program.o
    objdump -dr program.o | awk '
        /^[0-9a-f]+ <use_/ { if (name && !found) print name; name = $2; found = 0 }
        /R_[A-Z0-9_]*(PLT|CALL)/ && !/__tsan_func_|__ubsan_/ { found = 1 }
        END { if (name && !found) print name }'
}

for compiler in "${compilers[@]}"; do
    has_tool "$compiler" || continue
    count=$((count + 1))
    [[ $compiler == gcc* ]] || sed -i /use_builtin_bcopy/d program.c # which it cannot compile
    unseen=$(look "$compiler" | tr '\n' ' ')
    [ -z "$unseen" ] || { echo "$compiler: nothing is called in $unseen" && failures=1; }
done
[ "$(grep -c use_ program.c)" -ge 55 ] || { echo "too few functions" && failures=1; }
summary "compilers" $count $failures
exit $failures
