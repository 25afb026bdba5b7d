// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The write gate's questions, asked of the cluster: access, target, dry run, impact. All start without waiting.
// Thread: the write thread.
#include <map>
#include <memory>

#include "alidade/guard/write.hpp"
#include "writer.hpp"

namespace alidade::cluster::writer {

class Ports final : public guard::WriteGatePorts {
public:
    explicit Ports(std::shared_ptr<const Writer> writer) : writer_(std::move(writer)) {}
    std::unique_ptr<guard::Pending<guard::AccessReview>> startAccessReview(const guard::Action& action) override;
    std::unique_ptr<guard::Pending<guard::TargetState>> startTarget(const guard::Action& action) override;
    std::unique_ptr<guard::Pending<Rendered>> startPreview(const guard::Action& action) override;
    std::unique_ptr<guard::Pending<guard::Impact>> startImpact(const guard::Action& action) override;

private:
    /// One read of each target for all four.
    SlotPtr<nlohmann::json> object(const ObjectKey& key);
    std::shared_ptr<const Writer> writer_;
    std::map<ObjectKey, SlotPtr<nlohmann::json>> objects_;
};

} // namespace alidade::cluster::writer
