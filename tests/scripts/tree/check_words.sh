#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: check_words.sh [ROOT]
# The words of the last table of docs/internals/words.md are not used, as words or as parts of names.
set -euo pipefail

cd "${1:-.}"
page=docs/internals/words.md
# The first column after the last heading: `word`, `word or phrase`, ...
pattern=$(sed -e '1,/^## Words that are not used/d' $page | sed -n 's/^| \(`.*`\) |.*/\1/p' | grep -o '`[^`]*`' | tr -d '`' | paste -sd '|')
[ -n "$pattern" ] || { echo "$page: there are no words"; exit 1; }
places=(src include docs tests/cli/cases README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md SECURITY.md)
mapfile -t lines < <(grep -rniE "(^|[^a-z])($pattern)([^a-z]|\$)" "${places[@]}" |
    grep -vE "^$page:|\"unfit\"" || true) # which is a word of the files of plumb auto --table
[ ${#lines[@]} -eq 0 ] || { printf '%s\n' "${lines[@]}" "${#lines[@]} lines with words of the last table of $page"; exit 1; }
