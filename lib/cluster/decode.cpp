// SPDX-License-Identifier: GPL-3.0-or-later
#include "decode.hpp"

#include <algorithm>
#include <optional>

#include "alidade/guard/text.hpp"
#include "decode_kinds.hpp"

namespace alidade::cluster {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t kKeptParser = 1024UL * 1024;

constexpr decode::Kind kKinds[] = {
    {"", "pods", decode::podColumns, decode::pod},
    {"apps", "deployments", decode::deploymentColumns, decode::deployment},
    {"apps", "replicasets", decode::replicaSetColumns, decode::replicaSet},
    {"", "services", decode::serviceColumns, decode::service},
    {"discovery.k8s.io", "endpointslices", decode::endpointSliceColumns, decode::endpointSlice},
    {"", "configmaps", decode::configMapColumns, decode::configMap},
    {"", "nodes", decode::nodeColumns, decode::node},
    {"", "namespaces", decode::namespaceColumns, decode::namespaceObject},
    {"", "events", decode::eventColumns, decode::event},
    {"events.k8s.io", "events", decode::eventColumns, decode::event},
};

const decode::Kind* ownKind(const guard::KindId& kind) {
    const auto* const found = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const decode::Kind& own) {
        return own.group == kind.group && own.resource == kind.resource;
    });
    return found == std::end(kKinds) ? nullptr : found;
}

} // namespace

struct Decoder::Impl {
    const decode::Kind* own = nullptr;
    bool secret = false;
    Schema ownSchema;
    decode::TableColumns columns;
    std::int64_t nowNs = 0;
    ondemand::parser parser;
    RowBuilder builder;
    std::vector<RowPtr> rows;
    std::optional<PaddedText> repaired; // bytes that were not UTF-8, with U+FFFD in their place

    template <class Call>
    bool open(Padded document, Call&& call) {
        if (parser.capacity() > kKeptParser && document.size < kKeptParser) {
            parser = ondemand::parser{}; // one huge document must not hold its memory for ever
        }
        builder.clear();
        ondemand::document text;
        auto error = parser.iterate(document.data, document.size, document.capacity).get(text);
        if (error == simdjson::UTF8_ERROR) {
            repaired.emplace(guard::validUtf8(document.view()));
            const Padded again = repaired->padded();
            error = parser.iterate(again.data, again.size, again.capacity).get(text);
        }
        ondemand::object object;
        return error == simdjson::SUCCESS && text.get_object().get(object) == simdjson::SUCCESS && call(object);
    }

    void read(json::Reader& in, ondemand::object object, decode::Meta& meta) {
        if (own != nullptr) {
            own->decode(in, object, builder, meta);
        } else {
            columns.row(in, object, builder, meta, nowNs);
        }
    }

    /// A watched Table: its columns (first event), and its rows.
    void table(json::Reader& in, ondemand::object object, decode::Meta& meta, bool bookmark) {
        ondemand::value part;
        std::string_view definitions;
        ondemand::array array;
        if (in.find(object, "columnDefinitions", part) && part.get_array().get(array) == simdjson::SUCCESS) {
            if (array.raw_json().get(definitions) != simdjson::SUCCESS) {
                in.broken = true;
                return;
            }
            columns.set(definitions);
        }
        if (in.find(object, "rows", part)) {
            in.items(part, [&](ondemand::value& item) {
                ondemand::object row;
                if (const auto error = item.get_object().get(row); error != simdjson::SUCCESS) {
                    in.note(error);
                    return;
                }
                builder.clear();
                read(in, row, meta);
                keep(bookmark);
            });
        }
        if (!rows.empty()) {
            return;
        }
        builder.clear();
        if (in.find(object, "metadata", part)) { // a server without Tables
            decode::metadata(in, part, builder, meta);
            builder.nameCell().ageCell(builder.created());
            keep(bookmark);
        }
    }

    void keep(bool nameless = false) {
        if (nameless || !builder.name().empty()) {
            rows.push_back(builder.build());
        }
        builder.clear();
    }
};

Decoder::Decoder(const guard::KindId& kind) : impl_(std::make_unique<Impl>()) {
    impl_->own = ownKind(kind);
    impl_->secret = kind.group.empty() && kind.resource == "secrets";
    if (impl_->own != nullptr) {
        impl_->ownSchema = std::make_shared<const std::vector<Column>>(impl_->own->columns());
    }
}

Decoder::~Decoder() = default;

bool Decoder::table() const noexcept { return impl_->own == nullptr; }

std::string_view Decoder::accept() const noexcept {
    if (impl_->own != nullptr) {
        return "application/json";
    }
    if (impl_->secret) { // never the objects themselves
        return "application/json;as=Table;v=v1;g=meta.k8s.io";
    }
    return "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,"
           "application/json";
}

std::string_view Decoder::query() const noexcept {
    return impl_->own != nullptr ? std::string_view{} : "includeObject=Metadata";
}

Schema Decoder::schema() const noexcept { return impl_->own != nullptr ? impl_->ownSchema : impl_->columns.schema(); }

void Decoder::columns(std::string_view definitions) {
    if (impl_->own == nullptr) {
        impl_->columns.set(definitions);
    }
}

void Decoder::setNow(guard::WallTime now) noexcept { impl_->nowNs = now.time_since_epoch().count(); }

bool Decoder::item(Padded document, RowPtr& out) {
    out.reset();
    return impl_->open(withoutManagedFields(document), [&](ondemand::object object) {
        json::Reader in;
        decode::Meta meta;
        impl_->read(in, object, meta);
        if (in.broken) {
            return false;
        }
        if (!impl_->builder.name().empty()) {
            out = impl_->builder.build();
        }
        return true;
    });
}

bool Decoder::line(Padded document, WatchLine& out) {
    out = WatchLine{};
    impl_->rows.clear();
    document = withoutManagedFields(document);
    if (!balancedObject(document.view())) {
        return false;
    }
    return impl_->open(document, [&](ondemand::object line) {
        json::Reader in;
        std::string_view type;
        ondemand::value value;
        if (in.find(line, "type", value)) {
            type = in.text(value);
        }
        using Type = WatchLine::Type;
        out.type = type == "ADDED"      ? Type::Added
                   : type == "MODIFIED" ? Type::Modified
                   : type == "DELETED"  ? Type::Deleted
                   : type == "BOOKMARK" ? Type::Bookmark
                   : type == "ERROR"    ? Type::Error
                                        : Type::Unknown;
        ondemand::object object;
        if (!in.find(line, "object", value) || value.get_object().get(object) != simdjson::SUCCESS) {
            return out.type == Type::Unknown && !in.broken;
        }
        if (out.type == Type::Unknown) {
            return true;
        }
        if (out.type == Type::Error) {
            return object.raw_json().get(out.status) == simdjson::SUCCESS;
        }
        decode::Meta meta;
        if (impl_->own == nullptr) {
            impl_->table(in, object, meta, out.type == Type::Bookmark);
        } else if (out.type == Type::Bookmark) {
            in.fields(object, [&](const auto& key, ondemand::value& part) {
                if (json::is(key, "metadata")) {
                    decode::metadata(in, part, impl_->builder, meta);
                }
            });
            impl_->rows.push_back(impl_->builder.build());
        } else {
            impl_->read(in, object, meta);
            impl_->keep();
        }
        if (in.broken) {
            return false;
        }
        out.initialEventsEnd = meta.initialEventsEnd;
        if (!impl_->rows.empty()) {
            out.resourceVersion = impl_->rows.back()->resourceVersion;
        }
        if (out.type != Type::Bookmark) {
            out.rows = impl_->rows;
        }
        return true;
    });
}

} // namespace alidade::cluster
