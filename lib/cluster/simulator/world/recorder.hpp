// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Events, as client-go's recorder writes them: repeats count up one event; one object cannot flood.
#include <map>
#include <string>
#include <string_view>

#include "world/registry.hpp"

namespace alidade::simulator {

class Recorder {
public:
    explicit Recorder(Registry& registry);
    /// `fieldPath` is "spec.containers{app}" or empty; `host` the node for the kubelet's events.
    void record(const Entry& about, bool warning, std::string_view reason, const std::string& message,
                std::string_view component, std::string_view fieldPath = {}, std::string_view host = {});
    /// Events live for an hour.
    void expire();

private:
    struct Bucket {
        double tokens = 25;
        WallTime filled;
    };
    bool allowed(const std::string& uid);
    Registry& registry_;
    std::map<std::string, std::string> known_; ///< what it is about and says -> event key
    std::map<std::string, Bucket> buckets_;
};

} // namespace alidade::simulator
