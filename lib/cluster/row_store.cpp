// SPDX-License-Identifier: GPL-3.0-or-later
#include "row_store.hpp"

#include <algorithm>
#include <utility>

namespace alidade::cluster {

bool RowStore::put(Rows& rows, RowPtr row) {
    const auto [present, fresh] = rows.insert(row);
    if (fresh) {
        return true;
    }
    // The key's bytes live in the row: the node goes out, changes its row, and comes back.
    auto node = rows.extract(present);
    node.value() = std::move(row);
    rows.insert(std::move(node));
    return false;
}

void RowStore::begin() {
    staged_.clear();
    staged_.max_load_factor(kLoad);
    staging_ = !rows_.empty();
}

void RowStore::upsert(RowPtr row) {
    if (staging_) {
        const auto present = rows_.find(row);
        const bool same = present != rows_.end() && !row->resourceVersion.empty() &&
                          (*present)->resourceVersion == row->resourceVersion &&
                          (*present)->cells.size() == row->cells.size();
        put(staged_, same ? *present : std::move(row));
        return;
    }
    if (!removed_.empty()) {
        if (const auto gone = removed_.find(row->key); gone != removed_.end()) {
            removed_.erase(gone);
        }
    }
    changed_.push_back(row);
    superseded_ = !put(rows_, std::move(row)) || superseded_;
}

void RowStore::remove(std::string_view key) {
    Rows& rows = staging_ ? staged_ : rows_;
    const auto found = rows.find(key);
    if (found == rows.end()) {
        return;
    }
    const RowPtr keep = *found; // `key` may be a view into it
    rows.erase(found);
    if (staging_) {
        return;
    }
    superseded_ = true;
    removed_.emplace(keep->key);
}

void RowStore::commit() {
    if (!staging_) {
        return;
    }
    for (const RowPtr& row : rows_) {
        if (staged_.find(row) == staged_.end()) {
            removed_.emplace(row->key);
        }
    }
    for (const RowPtr& row : staged_) {
        const auto present = rows_.find(row);
        if (present == rows_.end() || *present != row) {
            if (const auto gone = removed_.find(row->key); gone != removed_.end()) {
                removed_.erase(gone);
            }
            changed_.push_back(row);
        }
    }
    superseded_ = true;
    rows_ = std::move(staged_);
    staged_ = Rows{};
    staging_ = false;
}

void RowStore::setSchema(Schema schema) {
    if (schema == schema_) {
        return;
    }
    schema_ = std::move(schema);
    resetDue_ = true;
}

RowPtr RowStore::find(std::string_view key) const {
    const auto found = rows_.find(key);
    return found == rows_.end() ? nullptr : *found;
}

DeltaBatch RowStore::everything(Subscriber& to, const Freshness& freshness) const {
    DeltaBatch batch;
    batch.subscription = to.subscription;
    batch.sequence = ++to.sequence;
    batch.reset = true;
    batch.schema = schema_;
    batch.upserts.assign(rows_.begin(), rows_.end());
    batch.freshness = freshness;
    batch.receivedAt = oldest_.value_or(guard::MonoTime{});
    return batch;
}

void RowStore::subscribe(std::uint64_t handle, std::uint64_t subscription, std::shared_ptr<Mailbox<DeltaBatch>> mailbox,
                         const Freshness& freshness) {
    if (dirty()) {
        publish(freshness); // or the newcomer would get these changes twice
    }
    Subscriber& to = subscribers_.emplace_back(Subscriber{handle, subscription, 0, std::move(mailbox)});
    to.mailbox->post(everything(to, freshness));
}

void RowStore::unsubscribe(std::uint64_t handle) {
    subscribers_.erase(std::remove_if(subscribers_.begin(), subscribers_.end(),
                                      [handle](const Subscriber& s) { return s.handle == handle; }),
                       subscribers_.end());
}

void RowStore::touch(guard::MonoTime received) noexcept {
    if (!oldest_) {
        oldest_ = received;
    }
}

void RowStore::publish(const Freshness& freshness) {
    if (std::exchange(superseded_, false)) {
        std::erase_if(changed_, [this](const RowPtr& row) {
            const auto current = rows_.find(row);
            return current == rows_.end() || *current != row;
        });
    }
    for (Subscriber& to : subscribers_) {
        if (resetDue_) {
            to.mailbox->post(everything(to, freshness));
            continue;
        }
        DeltaBatch batch;
        batch.subscription = to.subscription;
        batch.sequence = ++to.sequence;
        batch.upserts = changed_;
        batch.removals.assign(removed_.begin(), removed_.end());
        batch.freshness = freshness;
        batch.receivedAt = oldest_.value_or(guard::MonoTime{});
        to.mailbox->post(std::move(batch));
    }
    changed_.clear();
    removed_.clear();
    resetDue_ = false;
    oldest_.reset();
}

} // namespace alidade::cluster
