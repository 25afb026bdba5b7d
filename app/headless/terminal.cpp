// SPDX-License-Identifier: GPL-3.0-or-later
#include "terminal.hpp"

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include "alidade/guard/clock.hpp"
#include "alidade/guard/coverage.hpp"
#include "alidade/guard/text.hpp"

namespace alidade::headless {

Signals::Signals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    descriptor_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

Signals::~Signals() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

EventWakeup::EventWakeup() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

EventWakeup::~EventWakeup() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

void EventWakeup::wake() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(descriptor_, &one, sizeof one);
}

void EventWakeup::clear() {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t got = ::read(descriptor_, &count, sizeof count);
}

Terminal::Terminal()
    : interactive_(::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1),
      colour_(::isatty(STDOUT_FILENO) == 1 && ::getenv("NO_COLOR") == nullptr) {}

void Terminal::flushInput() {
    input_.clear();
    ::tcflush(STDIN_FILENO, TCIFLUSH);
}

Terminal::Event Terminal::wait(EventWakeup& wakeup, bool wantInput) {
    std::array<pollfd, 3> fds{pollfd{wakeup.descriptor(), POLLIN, 0}, pollfd{signals().descriptor(), POLLIN, 0},
                              pollfd{wantInput ? STDIN_FILENO : -1, POLLIN, 0}};
    Event event;
    if (::poll(fds.data(), fds.size(), -1) < 0)
        return event;
    if ((fds[0].revents & POLLIN) != 0) {
        wakeup.clear();
        event.woken = true;
    }
    if ((fds[1].revents & POLLIN) != 0) {
        signalfd_siginfo info{};
        event.interrupted = ::read(signals().descriptor(), &info, sizeof info) > 0;
    }
    if (fds[2].revents != 0) {
        std::array<char, 512> buffer{};
        const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (got <= 0) {
            event.inputEnded = true;
        } else {
            input_.append(buffer.data(), static_cast<std::size_t>(got));
            if (const std::size_t end = input_.find('\n'); end != std::string::npos) {
                event.line = input_.substr(0, end);
                input_.erase(0, end + 1);
            }
        }
    }
    return event;
}

std::string Terminal::paint(std::string_view text, guard::RunEventKind kind, bool failed) const {
    if (!colour_)
        return std::string(text);
    const char* code = "36";
    using Kind = guard::RunEventKind;
    switch (kind) {
    case Kind::Step: code = "36"; break;
    case Kind::Gate: code = failed ? "31" : "32"; break;
    case Kind::Fallback: code = "33"; break;
    case Kind::Action: code = "34"; break;
    case Kind::Blocked:
    case Kind::Breaker: code = "35;1"; break;
    case Kind::Done: code = failed ? "33;1" : "32;1"; break;
    }
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

namespace {

std::string harmless(std::string_view text) { return guard::visibleText(text, true); }

std::string indent(const std::string& text, const std::string& by) {
    std::string out;
    std::size_t from = 0;
    while (from < text.size()) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        out += by + text.substr(from, end - from) + "\n";
        from = end + 1;
    }
    return out;
}

std::string itemText(const guard::ProposalItem& item) {
    std::string out;
    out += "  " + harmless(item.action.summary()) + "\n";
    if (item.targetProtected)
        out += "  PROTECTED: " + harmless(item.protectedWhy) + "\n";
    if (item.uid.empty())
        out += "  The object's UID could not be read: the change would be by name only.\n";
    const char* access = item.access.access == guard::Access::Allowed  ? "allowed"
                         : item.access.access == guard::Access::Denied ? "denied"
                                                                       : "unknown";
    out += "  Permission: " + std::string(access) + " (" + harmless(item.access.verb) + ")\n";
    if (!item.preview.available)
        out += "  Not previewed: " + harmless(item.preview.unavailableReason) + "\n";
    else if (item.preview.unifiedDiff.empty())
        out += "  The dry run changes nothing.\n";
    else
        out += "  Dry-run diff:\n" + indent(harmless(item.preview.unifiedDiff), "    ");
    for (const std::string& warning : item.preview.warnings)
        out += "  Server warning: " + harmless(warning) + "\n";
    if (!item.impact.available)
        out += "  Impact: not known\n";
    else
        out += "  Impact: " + guard::countText(item.impact.dependents.size(), item.impact.complete) + " dependents\n";
    for (const guard::ImpactEntry& entry : item.impact.dependents)
        out += "    " + harmless(entry.object.text()) + " (" + entry.relation + ")\n";
    for (const std::string& note : item.impact.notes)
        out += "    " + harmless(note) + "\n";
    for (const std::string& condition : item.request.preconditions)
        out += "  Only if " + harmless(condition) + "\n";
    out += "  Request: " + item.request.method + " " + harmless(item.request.path) + "\n";
    return out;
}

} // namespace

std::string proposalText(const guard::ProposalContent& content) {
    std::string out =
        "\nProposed in context " + harmless(content.context) + ", risk " + std::string(name(content.risk)) + ":\n";
    if (content.provenance.diagnosis)
        out += "  Why: " + harmless(content.provenance.diagnosis->hypothesis) + "\n";
    if (!content.provenance.reviewed)
        out += "  Not independently reviewed.\n";
    for (const guard::ProposalItem& item : content.items)
        out += itemText(item);
    out += "  Digest: " + content.digest + "\n";
    return out;
}

std::string eventLine(const guard::RunEvent& event, const Terminal& terminal) {
    const std::string stamp = guard::formatRfc3339(event.at);
    std::string word(name(event.kind));
    const bool failed =
        (event.verdict && !event.verdict->passed) || (event.outcome && *event.outcome != guard::RunOutcome::Resolved &&
                                                      *event.outcome != guard::RunOutcome::NoFault);
    word.resize(9, ' ');
    std::string out =
        stamp.substr(11, 8) + "  " + terminal.paint(word, event.kind, failed) + " " + harmless(event.title);
    for (const guard::EvidenceRef& ref : event.refs)
        out += " [" + ref.text() + "]";
    out += "\n";
    if (!event.detail.empty())
        out += indent(harmless(event.detail), "                     ");
    if (event.verdict)
        for (const guard::Check& check : event.verdict->checks)
            out += "                     " + std::string(check.passed ? "pass " : "FAIL ") + harmless(check.id) +
                   (check.reason.empty() ? "" : ": " + harmless(check.reason)) + "\n";
    return out;
}

} // namespace alidade::headless
