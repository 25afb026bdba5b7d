// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the live rows of a kind on the real cluster, kept as a table of the program keeps them.
// What it must not know: how they get there.
// Thread: the test's.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "alidade/cluster/open.hpp"

namespace alidade::test {

class LiveTable {
public:
    LiveTable(cluster::ClusterSession& session, const guard::KindId& kind, const std::string& ns)
        : subscription_(session.subscribe(kind, {ns, "", ""}, mailbox_, 1)) {}

    /// Takes in what has come, waiting at most `limit` for the first of it.
    void take(std::chrono::milliseconds limit) {
        for (cluster::DeltaBatch& batch : mailbox_->waitDrain({}, guard::Millis{limit})) {
            if (batch.reset) {
                rows_.clear();
                schema_ = batch.schema;
            }
            for (cluster::RowPtr& row : batch.upserts) {
                const std::string key(row->key);
                rows_[key] = std::move(row);
            }
            for (const std::string& key : batch.removals) {
                rows_.erase(key);
            }
            freshness_ = batch.freshness;
            everLeftLive_ = everLeftLive_ || (everLive_ && !live());
            everLive_ = everLive_ || live();
        }
    }
    [[nodiscard]] bool live() const { return freshness_.state == cluster::Freshness::State::Live; }
    [[nodiscard]] const cluster::Freshness& freshness() const { return freshness_; }
    [[nodiscard]] const std::map<std::string, cluster::RowPtr>& rows() const { return rows_; }
    [[nodiscard]] const cluster::Schema& schema() const { return schema_; }
    /// True once it said it was not in sync after having been; then forgets.
    [[nodiscard]] bool leftLive() { return std::exchange(everLeftLive_, false); }

private:
    std::shared_ptr<cluster::Mailbox<cluster::DeltaBatch>> mailbox_ =
        std::make_shared<cluster::Mailbox<cluster::DeltaBatch>>();
    std::map<std::string, cluster::RowPtr> rows_;
    cluster::Schema schema_;
    cluster::Freshness freshness_;
    bool everLive_ = false;
    bool everLeftLive_ = false;
    std::shared_ptr<void> subscription_;
};

} // namespace alidade::test
