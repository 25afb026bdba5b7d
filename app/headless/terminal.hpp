// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The terminal: waiting on input, signals and mailboxes at once; text that cannot act on the terminal.
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "alidade/cluster_model/mailbox.hpp"
#include "alidade/guard/triage.hpp"
#include "alidade/guard/write.hpp"

namespace alidade::headless {

/// SIGINT and SIGTERM become a file descriptor. Made in main() before any thread.
class Signals {
public:
    Signals();
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

private:
    int descriptor_;
};

/// Wakes the wait below when a mailbox fills.
class EventWakeup final : public cluster::Wakeup {
public:
    EventWakeup();
    ~EventWakeup() override;
    void wake() override;
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
    void clear();

private:
    int descriptor_;
};

class Terminal {
public:
    struct Event {
        bool interrupted = false;
        bool woken = false;
        std::optional<std::string> line; ///< a whole line of input, without its end
        bool inputEnded = false;
    };
    Terminal();
    [[nodiscard]] bool interactive() const noexcept { return interactive_; }
    /// Drops everything typed so far, so that only what is typed from now on counts.
    void flushInput();
    /// Waits for the next of these. Input is read only when `wantInput`.
    [[nodiscard]] Event wait(EventWakeup& wakeup, bool wantInput);
    /// Colour where the output is a terminal, always beside the word itself.
    [[nodiscard]] std::string paint(std::string_view text, guard::RunEventKind kind, bool failed) const;

private:
    bool interactive_;
    bool colour_;
    std::string input_;
};

/// The descriptor that main() made.
[[nodiscard]] Signals& signals();

/// Everything a person decides on: target, why, diff, impact, preconditions, digest. Cluster text is made harmless.
[[nodiscard]] std::string proposalText(const guard::ProposalContent& content);
/// "12:00:03  gate      Quality gate: passed".
[[nodiscard]] std::string eventLine(const guard::RunEvent& event, const Terminal& terminal);

} // namespace alidade::headless
