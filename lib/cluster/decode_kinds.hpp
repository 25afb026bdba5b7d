// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The decoders of single kinds. Each reads one object (metadata included) into a RowBuilder.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alidade/cluster_model/rows.hpp"
#include "simd_json.hpp"

namespace alidade::cluster::decode {

namespace ondemand = simdjson::ondemand;

/// Nanoseconds since the epoch; 0 for null, absent or unreadable.
[[nodiscard]] std::int64_t timeNs(std::string_view rfc3339) noexcept;

/// metadata: identity, labels, owner, protection; and the annotation that ends a streamed list.
struct Meta {
    bool initialEventsEnd = false;
    std::int64_t generation = 0;
};
void metadata(json::Reader& in, ondemand::value& value, RowBuilder& row, Meta& meta);

/// One status condition; views into the document.
struct Condition {
    std::string_view type, status, reason, message;
};
using Conditions = std::vector<Condition>;
void conditions(json::Reader& in, ondemand::value& value, Conditions& out);
[[nodiscard]] const Condition* find(const Conditions& conditions, std::string_view type) noexcept;

/// "Reason: message", bounded, without control characters' effects (they stay text; views neutralise them).
void trouble(RowBuilder& row, Health health, std::string_view reason, std::string_view message = {});

/// What several workload kinds share: spec.selector as kubectl prints it, container names and images.
struct Template {
    std::string containers;
    std::string images;
};
void podTemplate(json::Reader& in, ondemand::value& value, Template& out);
void labelSelector(json::Reader& in, ondemand::value& value, std::string& out); ///< metav1.FormatLabelSelector
void labelMap(json::Reader& in, ondemand::value& value, std::string& out);      ///< labels.FormatLabels

using ObjectDecoder = void (*)(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta);
struct Kind {
    std::string_view group;
    std::string_view resource;
    std::vector<Column> (*columns)();
    ObjectDecoder decode;
};

void pod(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta);
void deployment(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta);
void replicaSet(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta);
void service(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta);
void endpointSlice(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta);
void configMap(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta);
void node(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta);
void namespaceObject(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta);
void event(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta);
std::vector<Column> podColumns();
std::vector<Column> deploymentColumns();
std::vector<Column> replicaSetColumns();
std::vector<Column> serviceColumns();
std::vector<Column> endpointSliceColumns();
std::vector<Column> configMapColumns();
std::vector<Column> nodeColumns();
std::vector<Column> namespaceColumns();
std::vector<Column> eventColumns();

/// Columns of a server-side Table.
class TableColumns {
public:
    TableColumns();
    /// True when the schema changed.
    bool set(std::string_view definitions);
    [[nodiscard]] const Schema& schema() const noexcept { return schema_; }
    /// One row: `cells` and `object`, in any order. Fills everything but nothing of health beyond a "READY n/m" cell.
    void row(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta, std::int64_t nowNs);

private:
    enum class Source : std::uint8_t { AsIs, Creation, Age };
    struct Value {
        std::string text;
        double number = 0;
    };
    Schema schema_;
    std::string definitions_;
    std::vector<Source> sources_;
    std::vector<Value> values_;
};

} // namespace alidade::cluster::decode
