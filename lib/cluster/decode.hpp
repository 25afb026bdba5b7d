// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// API bytes to rows, in place, by simdjson On-Demand. Knows kubectl's columns and words for the core kinds; every other
// kind comes as a server-side Table. Knows nothing of sockets, stores or Qt. One thread at a time.
// Source of the words: kubectl's server-side printers (pkg/printers/internalversion), Kubernetes 1.31.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alidade/cluster_model/rows.hpp"
#include "alidade/guard/clock.hpp"
#include "alidade/guard/object.hpp"
#include "framing.hpp"

namespace alidade::cluster {

/// One line of a watch. Views and rows are valid until the next call.
struct WatchLine {
    enum class Type : std::uint8_t { Added, Modified, Deleted, Bookmark, Error, Unknown };
    Type type = Type::Unknown;
    std::span<const RowPtr> rows;     ///< one; none for bookmarks; a Table may hold several
    std::string_view resourceVersion; ///< of the object, opaque
    bool initialEventsEnd = false;    ///< the bookmark that ends a streamed list
    std::string_view status;          ///< raw JSON of an ERROR's Status
};

class Decoder {
public:
    /// Kinds with rows of our own get their objects whole; all others, and Secrets (their values never travel), as Tables.
    explicit Decoder(const guard::KindId& kind);
    ~Decoder();
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    [[nodiscard]] bool table() const noexcept;
    /// The Accept header for LIST and WATCH.
    [[nodiscard]] std::string_view accept() const noexcept;
    /// What goes into the query string beside selectors: "includeObject=Metadata" for Tables.
    [[nodiscard]] std::string_view query() const noexcept;
    /// The current columns. A Table's come with its first answer; until then NAME and AGE.
    [[nodiscard]] Schema schema() const noexcept;
    /// A Table's columnDefinitions, raw JSON. Makes a new schema when they differ from the present ones.
    void columns(std::string_view definitions);
    /// Rendered ages in Tables are turned back into times against this clock reading.
    void setNow(guard::WallTime now) noexcept;

    /// A list's item or a Table's row; false when it is not JSON. Null without a name: nothing can be said of it. Wrong
    /// types and missing parts leave cells as kubectl prints them for an absent value.
    [[nodiscard]] bool item(Padded document, RowPtr& out);
    /// False when the line is not one whole JSON object.
    [[nodiscard]] bool line(Padded document, WatchLine& out);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace alidade::cluster
