// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One (kind, scope), live: a source, its decoder, its store, and whoever subscribed. I/O thread only.
#include <cstdint>
#include <memory>
#include <string_view>

#include "decode.hpp"
#include "row_store.hpp"
#include "source.hpp"

namespace alidade::cluster {

class LiveRows final : private Sink {
public:
    LiveRows(Loop loop, Transport& transport, const Source::Target& target, WatchMachine::Options options,
             SourceEvents events = {});

    void start() { source_.start(); }
    [[nodiscard]] Source& source() noexcept { return source_; }
    [[nodiscard]] const RowStore& store() const noexcept { return store_; }
    void subscribe(std::uint64_t handle, std::uint64_t subscription, std::shared_ptr<Mailbox<DeltaBatch>> mailbox);
    void unsubscribe(std::uint64_t handle) { store_.unsubscribe(handle); }
    [[nodiscard]] bool hasSubscribers() const noexcept { return store_.hasSubscribers(); }
    [[nodiscard]] Freshness freshness() const;

private:
    std::string_view accept() const override { return decoder_.accept(); }
    std::string_view query() const override { return decoder_.query(); }
    void begin() override;
    void head(const ListHead& head) override;
    bool item(Padded document) override;
    void commit() override;
    bool line(Padded document, WatchLine& out) override;
    bool columnsChanged() const override { return columnsChanged_; }
    void received(guard::MonoTime at) override;
    void changed(const Freshness& freshness) override;
    void publish();
    void showColumns();

    Loop loop_;
    Decoder decoder_;
    RowStore store_;
    Freshness published_;
    std::size_t items_ = 0; // of the list under way
    bool columnsChanged_ = false;
    Throttle throttle_;
    Source source_; // last: it calls into everything above
};

} // namespace alidade::cluster
