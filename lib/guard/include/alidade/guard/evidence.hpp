// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Evidence: one successful read, citable as E<n>. The evidence ledger of a run alone mints references.
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "alidade/guard/clock.hpp"
#include "alidade/guard/object.hpp"
#include "alidade/guard/payload.hpp"
#include "alidade/guard/tool_table.hpp"

namespace alidade::guard {

/// E<n> of one run; n begins at 1. Only EvidenceLedger makes one.
class EvidenceRef {
public:
    [[nodiscard]] int number() const noexcept { return number_; }
    [[nodiscard]] std::string text() const { return "E" + std::to_string(number_); }
    friend auto operator<=>(const EvidenceRef&, const EvidenceRef&) = default;

private:
    friend class EvidenceLedger;
    explicit EvidenceRef(int number) : number_(number) {}
    int number_;
};

/// Where in the cluster a citation lands.
namespace anchor {
struct LogLine {
    std::string podUid;
    std::string container;
    std::string containerId;  ///< of the run of the container that wrote the line; may be empty
    bool previous = false;
    std::string stamp;        ///< RFC 3339 with nanoseconds, as the API gave it
    int ordinal = 0;          ///< among lines with an equal stamp, from 0
    friend bool operator==(const LogLine&, const LogLine&) = default;
};
struct Field {
    std::string uid;
    std::string pointer;  ///< RFC 6901
    std::string resourceVersion;
    friend bool operator==(const Field&, const Field&) = default;
};
struct Event {
    std::string uid;
    int count = 1;
    friend bool operator==(const Event&, const Event&) = default;
};
struct Section {
    std::string title;  ///< of a describe text
    friend bool operator==(const Section&, const Section&) = default;
};
struct Cell {
    std::string uid;
    std::string column;
    friend bool operator==(const Cell&, const Cell&) = default;
};
}  // namespace anchor
using Anchor = std::variant<anchor::LogLine, anchor::Field, anchor::Event, anchor::Section, anchor::Cell>;

/// A stored line with its place. Stored text is redacted; redaction keeps line numbers.
struct EvidenceLine {
    std::string text;
    Anchor anchor;
};

/// One read. `lines` is the whole stored text (redacted, bounded), line by line.
struct Evidence {
    EvidenceRef ref;
    std::string tool;      ///< a row of the tool table, with a read effect
    ObjectRef target;      ///< what was read; NamedOnly where the UID is not known
    std::string title;     ///< "logs of pod checkout-5d9-x2, container app"
    std::string excerpt;   ///< at most 240 bytes of redacted text
    std::vector<EvidenceLine> lines;
    WallTime readAt;
    bool cut = false;      ///< bounded
};

/// A statement with its support. `quote`, when given, must be verbatim in the stored text of one of `refs`.
struct Claim {
    std::string text;
    std::vector<EvidenceRef> refs;
    std::string quote;
    bool supported = true;          ///< set by the quality gate; false is shown as "no evidence"
    std::optional<Anchor> anchor;   ///< set by the quality gate: where the quote stands (or the read's first line)
};

/// The evidence of one run. Thread-safe; entries are never changed or removed.
class EvidenceLedger {
public:
    /// `tool` must be a read: the type of a citable tool row makes citing a write impossible (tool_table.hpp).
    EvidenceRef add(CitableTool tool, ObjectRef target, std::string title, const std::vector<EvidenceLine>& redactedLines,
                    WallTime readAt, bool cut = false);
    [[nodiscard]] std::shared_ptr<const Evidence> find(EvidenceRef ref) const;
    /// Parses "E3" / "[E3]" as a model wrote it; nullopt when it names nothing read in this run.
    [[nodiscard]] std::optional<EvidenceRef> resolve(std::string_view text) const;
    [[nodiscard]] std::vector<std::shared_ptr<const Evidence>> all() const;
    /// The line that holds `quote` verbatim (whitespace runs equal), if any.
    [[nodiscard]] std::optional<Anchor> locate(EvidenceRef ref, std::string_view quote) const;

private:
    mutable std::mutex mutex_;
    std::vector<std::shared_ptr<const Evidence>> entries_;
};

}  // namespace alidade::guard
