// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "alidade/cluster_model/session.hpp"

namespace alidade::cluster {
namespace {

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

/// How well a bare word names a kind: 0 not at all; the plural beats kind and singular, which beat short names.
int match(const ResourceKind& kind, const std::string& word) {
    if (kind.id.resource == word) {
        return 3;
    }
    if (lower(kind.id.kind) == word) {
        return 2;
    }
    return std::find(kind.shortNames.begin(), kind.shortNames.end(), word) != kind.shortNames.end() ? 1 : 0;
}

} // namespace

bool ResourceKind::can(std::string_view verb) const noexcept {
    return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

const ResourceKind* Catalog::find(const KindId& id) const noexcept {
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const ResourceKind& kind) { return kind.id == id; });
    return found == kinds.end() ? nullptr : &*found;
}

const ResourceKind* Catalog::find(std::string_view text) const noexcept {
    const std::string word = lower(text);
    const auto best = [this](const std::string& name, auto&& accept) {
        const ResourceKind* found = nullptr;
        int score = 0;
        for (const ResourceKind& kind : kinds) { // the first of equals: core stands first
            if (const int s = match(kind, name); s > score && accept(kind)) {
                found = &kind;
                score = s;
            }
        }
        return found;
    };
    if (const ResourceKind* bare = best(word, [](const ResourceKind&) { return true; })) {
        return bare;
    }
    const auto dot = word.find('.');
    if (dot == std::string::npos) {
        return nullptr;
    }
    const std::string name = word.substr(0, dot);
    const std::string rest = word.substr(dot + 1); // "group", or "version.group", or "version" of the core group
    return best(name, [&](const ResourceKind& kind) {
        const std::string& group = kind.id.group;
        return (!group.empty() && rest == group) || rest == (group.empty() ? kind.id.version : kind.id.version + "." + group);
    });
}

} // namespace alidade::cluster
