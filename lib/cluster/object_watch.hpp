// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One object, whole and live, by field selector. I/O thread only.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "source.hpp"

namespace alidade::cluster {

class ObjectWatch final : private Sink {
public:
    using OnChange = std::function<void(Result<guard::Raw<nlohmann::json>>)>;
    ObjectWatch(Loop loop, Transport& transport, ObjectRef ref, bool gzip, WatchMachine::Options options,
                SourceEvents events, OnChange onChange);
    void start() { source_.start(); }
    [[nodiscard]] Source& source() noexcept { return source_; }

private:
    std::string_view accept() const override { return "application/json"; }
    std::string_view query() const override { return {}; }
    void begin() override { found_.reset(); }
    void head(const ListHead& head) override;
    bool item(Padded document) override;
    void commit() override;
    bool line(Padded document, WatchLine& out) override;
    void changed(const Freshness& freshness) override;
    void show(nlohmann::json object);
    void gone();

    ObjectRef ref_;
    OnChange onChange_;
    std::shared_ptr<nlohmann::json> found_;
    std::string shown_; // resourceVersion and uid of what was shown last
    bool isGone_ = false;
    bool stopped_ = false;
    std::string version_;
    std::string status_;
    Source source_;
};

} // namespace alidade::cluster
