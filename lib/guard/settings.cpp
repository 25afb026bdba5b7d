// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/guard/settings.hpp"

#include <algorithm>

namespace alidade::guard {

bool globMatch(std::string_view pattern, std::string_view text) noexcept {
    std::size_t p = 0, t = 0, starAt = std::string_view::npos, resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            starAt = p++;
            resume = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (starAt != std::string_view::npos) {
            p = starAt + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

bool ProtectedLists::contextProtected(std::string_view context) const noexcept {
    return std::any_of(contexts.begin(), contexts.end(), [&](const std::string& g) { return globMatch(g, context); });
}

bool ProtectedLists::namespaceProtected(std::string_view ns) const noexcept {
    return std::any_of(namespaces.begin(), namespaces.end(), [&](const std::string& g) { return globMatch(g, ns); });
}

bool ProtectedLists::resourceProtected(const ObjectKey& key) const noexcept {
    // A part that is left out means any: a list of protected things must err towards protecting.
    const auto fits = [](const std::string& glob, const std::string& text) {
        return glob.empty() || globMatch(glob, text);
    };
    return std::any_of(resources.begin(), resources.end(), [&](const ProtectedResource& r) {
        return fits(r.ns, key.ns) && fits(r.kind, key.kind.kind) && fits(r.name, key.name);
    });
}

} // namespace alidade::guard
