#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Breaks each rule of text.sh in a tree of its own: the rule must be named. A clean tree, and a line with a reason, pass.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

fresh() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree"/{lib/guard/include/alidade/guard,lib/cluster/http,lib/agent,app/ui,tests/unit}
    printf '// SPDX-License-Identifier: GPL-3.0-or-later\nint fine();\n' > "$tree/lib/guard/fine.cpp"
}
check() { # check RULE FILE LINE
    fresh
    printf '// SPDX-License-Identifier: GPL-3.0-or-later\n#pragma once\n%s\n' "$3" > "$tree/$2"
    if said=$("$here/text.sh" "$tree" 2>&1); then
        echo "FAILED: accepts '$3' in $2"
        failed=1
    elif ! grep -q "^\[$1\]" <<< "$said"; then
        printf "FAILED: refuses '%s', but not by the rule %s:\n%s\n" "$3" "$1" "$said"
        failed=1
    fi
}
pass() { # pass FILE LINE
    fresh
    printf '// SPDX-License-Identifier: GPL-3.0-or-later\n#pragma once\n%s\n' "$2" > "$tree/$1"
    said=$("$here/text.sh" "$tree" 2>&1) || { printf "FAILED: refuses '%s':\n%s\n" "$2" "$said"; failed=1; }
}

# The words are put together here, so that this file does not break the rules itself.
check qtest tests/unit/a.cpp "QCOM""PARE(1, 2);"
check disabled tests/unit/a.cpp "TEST(A, DISABLED""_b) {}"
check sleep tests/unit/a.cpp "std::this_thread::sleep""_for(1s);"
check person_draft lib/agent/a.cpp "guard::Draft::from""Person(plan, {}, epoch);"
check tls lib/cluster/http/a.cpp "socket.ignoreSsl""Errors();"
check shell app/ui/a.cpp "sys""tem(\"ls\");"
check shell app/ui/a.cpp "po""pen(\"ls\", \"r\");"
check network app/ui/a.cpp "QNetworkAccess""Manager m;"
check nested_loop app/ui/a.cpp "QCoreApplication::process""Events();"
check qstring lib/guard/include/alidade/guard/a.hpp "void f(const QSt""ring&);"
check qt_free lib/guard/a.cpp "QSt""ring s;"
check markup app/ui/a.cpp "label->setToolTip""(models::shown(name));"
check markup app/ui/a.cpp "label->setToolTip""(tr(\"%1\").arg(name));"
check markup app/ui/a.cpp "case Qt::ToolTip""Role: return description;"
pass app/ui/a.cpp "label->setToolTip(plainTip(name));"
check unfinished lib/guard/a.cpp "// TO""DO later"
check file lib/guard/a.cpp "$(seq 700)"
fresh && printf 'int x;\n' > "$tree/lib/guard/a.cpp"
"$here/text.sh" "$tree" > /dev/null 2>&1 && { echo "FAILED: accepts a file without SPDX line"; failed=1; }
rm -rf "${tree:?}"/*
"$here/text.sh" "$tree" > /dev/null 2>&1 && { echo "FAILED: an empty tree passes"; failed=1; }
pass tests/unit/a.cpp "std::this_thread::sleep""_for(1s); // lint: allow sleep: the kernel's clock is what is tested"
pass lib/guard/a.cpp "int fileSystem(int);"
pass app/ui/a.cpp "guard::Draft::from""Person(plan, {}, epoch);"
fresh
printf '// SPDX-License-Identifier: GPL-3.0-or-later\n#pragma once\nnamespace a {\nstruct Twice {\n};\n} // namespace a\n' > "$tree/lib/guard/a.hpp"
cp "$tree/lib/guard/a.hpp" "$tree/lib/cluster/b.hpp"
"$here/text.sh" "$tree" > /dev/null 2>&1 && { echo "FAILED: accepts two classes of one name"; failed=1; }
[ "$failed" -eq 0 ] && echo "every rule refuses"
exit "$failed"
