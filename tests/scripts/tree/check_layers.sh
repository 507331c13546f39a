#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: check_layers.sh [ROOT]
# The laws of ROOT/src:
#   Every #include obeys ROOT/tests/layers.txt, and ARCHITECTURE.md shows the same table.
#   The certificate checker stays small and independent.
#   File names are unique, and no folder has more than 45 source files.
#   Exit codes have names in src/cli alone. Nothing else prints or ends the process, but for what runs inside the program
#   under test, and base/check.c and base/memory.c, which end it when nothing else is right.
#   There is one enum verdict.
#   Beside the port, what others use of src/explore is what the table of ARCHITECTURE.md names and counts.
# ROOT/tests/layers_exceptions.txt has what breaks the rules below the second, with reasons. One that breaks nothing has to go.
set -euo pipefail

root=${1:-.}
cd "$root"
failures=0

complain() {
    printf '%s\n' "$1"
    failures=$((failures + 1))
}

# "folder: a b" per line, without comments and with single spaces.
layer_rows() {
    sed -e 's/#.*//' -e 's/[[:space:]]\+/ /g' -e 's/ $//' tests/layers.txt | grep . || true
}

# The rows of ARCHITECTURE.md's table: | src/folder | one sentence | a b |
architecture_rows() {
    sed -n 's/^| *src\/\([a-z]*\) *|[^|]*| *\([^|]*[^| ]\) *|$/\1: \2/p' ARCHITECTURE.md | sed 's/: —$/:/'
}

declare -A allowed
while IFS=: read -r folder below; do
    allowed[$folder]=" $folder $below "
done < <(layer_rows)

check_include() { # FILE LINE INCLUDED; FILE is in a folder of the table
    local file=$1 line=$2 included=$3 own=${1#src/} target
    own=${own%%/*}
    target=${included%%/*}
    case $included in
    ../* | */../* | ./*) complain "$file:$line: relative include of $included" ;;
    plumb/*) ;;
    */*)
        if [ -z "${allowed[$target]+x}" ]; then
            complain "$file:$line: include of unknown folder $target"
        elif [[ ${allowed[$own]} != *" $target "* ]]; then
            complain "$file:$line: $own may not include $target"
        fi
        ;;
    *) complain "$file:$line: $included is named without its folder" ;;
    esac
}

# file:line:kind:name of every include; kind is " or <.
list_includes() {
    find src -name '*.[ch]' -print0 | sort -z | xargs -0r awk '
        match($0, /^[ \t]*#[ \t]*include[ \t]*["<]/) {
            kind = substr($0, RLENGTH, 1)
            name = substr($0, RLENGTH + 1)
            sub(/[">].*/, "", name)
            print FILENAME ":" FNR ":" kind ":" name
        }'
}

check_includes() {
    local file line kind name
    while IFS=: read -r file line kind name; do
        local folder=${file#src/}
        [ -n "${allowed[${folder%%/*}]+x}" ] || continue
        # A system header is one whose first folder is none of ours.
        [ "$kind" = '<' ] && [ -z "${allowed[${name%%/*}]+x}" ] && [[ $name != ../* ]] && continue
        check_include "$file" "$line" "$name"
    done < <(list_includes)
}

check_folders() {
    local folder
    for folder in src/*/; do
        folder=$(basename "$folder")
        [ -n "${allowed[$folder]+x}" ] || complain "src/$folder: no row in tests/layers.txt"
    done
    for folder in "${!allowed[@]}"; do
        [ -d "src/$folder" ] || complain "tests/layers.txt: row of $folder, which does not exist"
    done
}

check_architecture() {
    local difference
    if ! difference=$(diff <(layer_rows | sort) <(architecture_rows | sort)); then
        complain "ARCHITECTURE.md: its table differs from tests/layers.txt"
        printf '%s\n' "$difference"
    fi
}

check_certificate() {
    local checker=src/monitor/certificate.c lines place file line kind name
    [ -e $checker ] || return 0
    lines=$(wc -l <$checker)
    [ "$lines" -lt 300 ] || complain "$checker: $lines lines, has to stay below 300"
    while IFS=: read -r file line kind name; do
        [ "$file" = $checker ] && [ "$kind" = '"' ] || continue
        place="$file:$line"
        case $name in
        history/* | spec/* | plumb/* | monitor/certificate.h) ;;
        *) complain "$place: the certificate checker may not include $name" ;;
        esac
    done < <(list_includes)
}

# "RULE FILE: what" for what breaks the rules of names and folders. A stem may have a header and a source in one folder, or
# a header in a folder and its source in a folder below.
list_bad_names() {
    find src -name '*.[chS]' | LC_ALL=C sort | awk '
        {
            name = $0; sub(/.*\//, "", name)
            folder = substr($0, 1, length($0) - length(name))
            stem = name; sub(/\.[chS]$/, "", stem)
            if (name in path)
                print "name " $0 ": " path[name] " has the same name"
            else if (stem in home && index(folder, home[stem]) != 1 && index(home[stem], folder) != 1)
                print "name " $0 ": another file of this stem is in " home[stem]
            path[name] = $0
            home[stem] = folder
            if (++files[folder] == 46)
                print "size " folder ": more than 45 source files"
        }'
}

# "RULE FILE:LINE: what" for lines that break a rule of verdicts, exit codes or printing.
list_bad_lines() {
    find src -name '*.[ch]' -print0 | sort -z | xargs -0r awk '
        FNR == 1 {
            comment = 0
            cli = FILENAME ~ /^src\/cli\//
            free = FILENAME ~ /^src\/(rt|engine|worker|native|prove)\// || FILENAME ~ /^src\/base\/(check|memory)\.c$/
        }
        { # without comments and strings
            line = $0
            for (;;) {
                if (comment) {
                    if (!(at = index(line, "*/"))) { line = ""; break }
                    line = substr(line, at + 2)
                    comment = 0
                }
                gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
                if (!(at = index(line, "/*"))) break
                rest = substr(line, at + 2)
                if (!(end = index(rest, "*/"))) { line = substr(line, 1, at - 1); comment = 1; break }
                line = substr(line, 1, at - 1) " " substr(rest, end + 2)
            }
            sub(/\/\/.*/, "", line)
        }
        line ~ /enum [a-z_]*verdict \{/ && FILENAME != "src/base/verdict.h" {
            print "verdict " FILENAME ":" FNR ": there is one enum verdict, of base/verdict.h:" $0
        }
        cli { next }
        line ~ /(^|[^A-Za-z0-9_])(EXIT_[A-Z]|enum cli_exit)/ {
            print "exit-code " FILENAME ":" FNR ": exit codes belong to src/cli: " $0
        }
        free { next }
        # A child that could not become another program ends as the shell says.
        line ~ /(^|[^A-Za-z0-9_])_exit\(12[67]\)/ { next }
        line ~ /(^|[^A-Za-z0-9_.>])(v?printf|puts|putchar|perror|exit|_exit|_Exit|quick_exit|abort|errx?|warnx?) *\(/ ||
            line ~ /(^|[^A-Za-z0-9_])(stdout|stderr)([^A-Za-z0-9_]|$)/ ||
            line ~ /(^|[^A-Za-z0-9_])(write|dprintf)\((1|2|STDOUT_FILENO|STDERR_FILENO),/ {
            print "prints " FILENAME ":" FNR ": only src/cli prints and ends the process: " $0
        }'
}

# Exceptions are "RULE FILE: reason"; they name whole files.
check_rules() {
    local rule place text file
    declare -A excepted=() used=()
    while IFS= read -r text; do
        excepted[$text]=1
    done < <(sed -nE 's/^([a-z-]+ [^ :]+): .+/\1/p' tests/layers_exceptions.txt)
    while read -r rule place text; do
        file=${place%%:*}
        used[$rule $file]=1
        [ "${excepted[$rule $file]-}" ] || complain "$place $text"
    done < <(list_bad_names && list_bad_lines)
    for text in "${!excepted[@]}"; do
        [ "${used[$text]-}" ] || complain "tests/layers_exceptions.txt: '$text' is no exception any more: remove the line"
    done
}

# A row for each header beside the port: "| graphs.h | functions | for | folders that use it |".
check_port() {
    local header name row count users user
    for header in src/explore/*.h; do
        name=${header##*/}
        [ -e "$header" ] && [ "$name" != port.h ] || continue
        row=$(grep "^| $name |" ARCHITECTURE.md) || { complain "ARCHITECTURE.md: no row of $header"; continue; }
        count=$(grep -oE '\bexplore_[a-z_]+\(' "$header" | sort -u | wc -l)
        [[ $row == "| $name | $count |"* ]] || complain "ARCHITECTURE.md: $header has $count functions"
        users=$(grep -rl "\"explore/$name\"" src | sed 's|^src/\([^/]*\)/.*|\1|' | sort -u)
        for user in $users; do
            [ "$user" = explore ] || grep -qw "$user" <<<"$row" || complain "$header: used by $user, which its row in ARCHITECTURE.md does not name"
        done
    done
}

check_folders
check_rules
check_includes
check_architecture
check_certificate
check_port
[ $failures -eq 0 ] || { echo "$failures violations of the layers"; exit 1; }
echo "$(list_includes | wc -l) includes obey the layers"
