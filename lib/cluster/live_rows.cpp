// SPDX-License-Identifier: GPL-3.0-or-later
#include "live_rows.hpp"

#include <utility>

namespace alidade::cluster {
namespace {

bool same(const std::optional<guard::Error>& a, const std::optional<guard::Error>& b) {
    return a.has_value() == b.has_value() && (!a || (a->code == b->code && a->detail == b->detail && a->where == b->where));
}

bool same(const Freshness& a, const Freshness& b) {
    return a.state == b.state && a.loaded == b.loaded && a.total == b.total && a.lastSync == b.lastSync &&
           a.lastEvent == b.lastEvent && a.attempt == b.attempt && same(a.error, b.error);
}

} // namespace

LiveRows::LiveRows(Loop loop, Transport& transport, const Source::Target& target, WatchMachine::Options options,
                   SourceEvents events)
    : loop_(loop), decoder_(target.kind), throttle_(loop, [this] { publish(); }),
      source_(std::move(loop), transport, target, options, *this, std::move(events)) {
    store_.setSchema(decoder_.schema());
}

Freshness LiveRows::freshness() const {
    Freshness out = source_.freshness();
    out.loaded = store_.loaded();
    return out;
}

void LiveRows::subscribe(std::uint64_t handle, std::uint64_t subscription, std::shared_ptr<Mailbox<DeltaBatch>> mailbox) {
    store_.subscribe(handle, subscription, std::move(mailbox), freshness());
}

void LiveRows::begin() {
    store_.begin();
    items_ = 0;
}

void LiveRows::head(const ListHead& head) {
    if (items_ == 0 && !head.columnDefinitions.empty()) { // behind the rows they come too late
        decoder_.columns(head.columnDefinitions);
    }
    showColumns();
    columnsChanged_ = false;
}

/// Over an empty store new columns show at once; otherwise with the rows that have them, at the end of the list.
void LiveRows::showColumns() {
    if (store_.size() == 0) {
        store_.setSchema(decoder_.schema());
    }
}

bool LiveRows::item(Padded document) {
    RowPtr row;
    if (!decoder_.item(document, row)) {
        return false;
    }
    ++items_;
    if (row) {
        store_.upsert(std::move(row));
    }
    return true;
}

void LiveRows::commit() {
    store_.commit();
    store_.setSchema(decoder_.schema());
    columnsChanged_ = false;
}

bool LiveRows::line(Padded document, WatchLine& out) {
    const Schema before = decoder_.schema();
    if (!decoder_.line(document, out)) {
        return false;
    }
    if (decoder_.schema() != before && store_.size() > 0 && store_.schema() != decoder_.schema()) {
        columnsChanged_ = true; // rows of two layouts must not meet: the source lists again
        return true;
    }
    showColumns();
    for (const RowPtr& row : out.rows) {
        if (out.type == WatchLine::Type::Deleted) {
            store_.remove(row->key);
        } else {
            store_.upsert(row);
        }
    }
    return true;
}

void LiveRows::received(guard::MonoTime at) {
    store_.touch(at);
    decoder_.setNow(loop_.clock->wall());
}

void LiveRows::changed(const Freshness&) {
    if (store_.dirty() || !same(freshness(), published_)) {
        throttle_.request();
    }
}

void LiveRows::publish() {
    published_ = freshness();
    store_.publish(published_);
}

} // namespace alidade::cluster
