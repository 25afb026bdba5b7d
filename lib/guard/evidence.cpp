// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/guard/evidence.hpp"

#include <algorithm>

#include "alidade/guard/settings.hpp"
#include "utf8.hpp"

namespace alidade::guard {

namespace {
std::string excerptOf(const std::vector<EvidenceLine>& lines) {
    std::string out;
    for (const EvidenceLine& line : lines) {
        if (line.text.empty())
            continue;
        if (!out.empty())
            out += '\n';
        out += line.text;
        if (out.size() >= Limits::excerptBytes)
            break;
    }
    out.resize(utf8::floorBoundary(out, Limits::excerptBytes));
    return out;
}

bool blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Appends `text` with each run of blanks as one blank; `at` gets `place` for every byte that was added.
void appendFolded(std::string_view text, std::string& out, std::vector<std::size_t>* at, std::size_t place) {
    for (const char c : text) {
        const bool isBlank = blank(c);
        if (isBlank && (out.empty() || out.back() == ' '))
            continue;
        out += isBlank ? ' ' : c;
        if (at)
            at->push_back(place);
    }
}
} // namespace

EvidenceRef EvidenceLedger::add(CitableTool tool, ObjectRef target, std::string title,
                                const std::vector<EvidenceLine>& redactedLines, WallTime readAt, bool cut) {
    std::size_t bytes = 0, count = 0;
    while (count < redactedLines.size() && bytes + redactedLines[count].text.size() <= Limits::evidenceBytes)
        bytes += redactedLines[count++].text.size() + 1;
    std::vector<EvidenceLine> kept(redactedLines.begin(), redactedLines.begin() + static_cast<std::ptrdiff_t>(count));
    const bool shortened = cut || count < redactedLines.size();
    std::string excerpt = excerptOf(kept);

    const std::lock_guard lock(mutex_);
    const EvidenceRef ref(static_cast<int>(entries_.size()) + 1);
    entries_.push_back(
        std::make_shared<const Evidence>(Evidence{ref, std::string(tool.name()), std::move(target), std::move(title),
                                                  std::move(excerpt), std::move(kept), readAt, shortened}));
    return ref;
}

std::shared_ptr<const Evidence> EvidenceLedger::find(EvidenceRef ref) const {
    const std::lock_guard lock(mutex_);
    if (ref.number() < 1 || static_cast<std::size_t>(ref.number()) > entries_.size())
        return nullptr;
    return entries_[static_cast<std::size_t>(ref.number()) - 1];
}

std::optional<EvidenceRef> EvidenceLedger::resolve(std::string_view text) const {
    while (!text.empty() && blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && blank(text.back()))
        text.remove_suffix(1);
    if (text.size() >= 2 && text.front() == '[' && text.back() == ']')
        text = text.substr(1, text.size() - 2);
    if (text.size() < 2 || text.size() > 9 || (text.front() != 'E' && text.front() != 'e'))
        return std::nullopt;
    text.remove_prefix(1);
    if (text.front() == '0')
        return std::nullopt;
    int number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9')
            return std::nullopt;
        number = number * 10 + (c - '0');
    }
    const std::lock_guard lock(mutex_);
    if (static_cast<std::size_t>(number) > entries_.size())
        return std::nullopt;
    return EvidenceRef(number);
}

std::vector<std::shared_ptr<const Evidence>> EvidenceLedger::all() const {
    const std::lock_guard lock(mutex_);
    return entries_;
}

std::optional<Anchor> EvidenceLedger::locate(EvidenceRef ref, std::string_view quote) const {
    const std::shared_ptr<const Evidence> evidence = find(ref);
    if (!evidence)
        return std::nullopt;
    std::string wanted;
    appendFolded(quote, wanted, nullptr, 0);
    if (!wanted.empty() && wanted.back() == ' ')
        wanted.pop_back();
    if (wanted.empty())
        return std::nullopt;

    std::string text;
    std::vector<std::size_t> lineAt;
    for (std::size_t i = 0; i < evidence->lines.size(); ++i) {
        appendFolded(evidence->lines[i].text, text, &lineAt, i);
        appendFolded("\n", text, &lineAt, i);
    }
    const std::size_t found = text.find(wanted);
    if (found == std::string::npos)
        return std::nullopt;
    return evidence->lines[lineAt[found]].anchor;
}

} // namespace alidade::guard
