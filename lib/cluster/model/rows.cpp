// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/cluster_model/rows.hpp"

#include <charconv>
#include <cstring>
#include <limits>
#include <new>

namespace alidade::cluster {

std::string_view name(Health health) noexcept {
    switch (health) {
    case Health::Ok: return "ok";
    case Health::Progressing: return "progressing";
    case Health::Warning: return "warning";
    case Health::Bad: return "bad";
    case Health::Unknown: return "unknown";
    case Health::Done: return "done";
    }
    return "unknown";
}

RowBuilder::Slice RowBuilder::keep(std::string_view text) {
    const Slice slice{static_cast<std::uint32_t>(text_.size()), static_cast<std::uint32_t>(text.size())};
    text_.append(text);
    return slice;
}

RowBuilder& RowBuilder::ns(std::string_view text) {
    ns_ = keep(text);
    return *this;
}
RowBuilder& RowBuilder::name(std::string_view text) {
    name_ = keep(text);
    return *this;
}
RowBuilder& RowBuilder::uid(std::string_view text) {
    uid_ = keep(text);
    return *this;
}
RowBuilder& RowBuilder::resourceVersion(std::string_view text) {
    version_ = keep(text);
    return *this;
}
RowBuilder& RowBuilder::created(std::int64_t ns) {
    createdNs_ = ns;
    return *this;
}
RowBuilder& RowBuilder::owner(std::string_view kind, std::string_view name, std::string_view uid) {
    ownerKind_ = keep(kind);
    ownerName_ = keep(name);
    ownerUid_ = keep(uid);
    return *this;
}
RowBuilder& RowBuilder::deleting(bool value) {
    deleting_ = value;
    return *this;
}
RowBuilder& RowBuilder::isProtected(bool value) {
    protected_ = value;
    return *this;
}
RowBuilder& RowBuilder::health(Health value) {
    health_ = value;
    return *this;
}
RowBuilder& RowBuilder::trouble(std::string_view text) {
    trouble_ = keep(text);
    return *this;
}
RowBuilder& RowBuilder::label(std::string_view key, std::string_view value) {
    const Slice first = keep(key);
    labels_.emplace_back(first, keep(value));
    return *this;
}
RowBuilder& RowBuilder::cell(std::string_view text, double number, std::int64_t timeNs) {
    cells_.push_back({keep(text), {}, number, timeNs});
    return *this;
}
RowBuilder& RowBuilder::fixedCell(std::string_view constant, double number) {
    cells_.push_back({{}, constant, number, 0});
    return *this;
}
RowBuilder& RowBuilder::nameCell() {
    cells_.push_back({name_, {}, 0, 0});
    return *this;
}
RowBuilder& RowBuilder::ageCell(std::int64_t timeNs) {
    cells_.push_back({{}, {}, 0, timeNs});
    return *this;
}
RowBuilder& RowBuilder::numberCell(std::int64_t number, std::int64_t timeNs) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    return cell({digits, static_cast<std::size_t>(end - digits)}, static_cast<double>(number), timeNs);
}

void RowBuilder::clear() noexcept {
    text_.clear();
    ns_ = name_ = uid_ = version_ = trouble_ = ownerKind_ = ownerName_ = ownerUid_ = Slice{};
    createdNs_ = 0;
    deleting_ = protected_ = false;
    health_ = Health::Unknown;
    cells_.clear();
    labels_.clear();
}

RowPtr RowBuilder::build() {
    Slice key = uid_;
    if (uid_.size == 0) {
        std::string made = "/";
        made.append(view(ns_)).append("/").append(view(name_));
        key = keep(made);
    }
    const std::size_t cellBytes = cells_.size() * sizeof(Cell);
    const std::size_t labelBytes = labels_.size() * sizeof(Label);
    static_assert(sizeof(Cell) % alignof(Label) == 0);

    auto row = std::make_shared<Row>();
    row->blockBytes_ = cellBytes + labelBytes + text_.size();
    row->block_ = std::make_unique_for_overwrite<std::byte[]>(row->blockBytes_);
    std::byte* const block = row->block_.get();
    char* const text = reinterpret_cast<char*>(block + cellBytes + labelBytes);
    if (!text_.empty()) {
        std::memcpy(text, text_.data(), text_.size());
    }
    const auto placed = [text](Slice slice) { return std::string_view(text + slice.offset, slice.size); };

    Cell* const cells = reinterpret_cast<Cell*>(block);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        const CellDraft& draft = cells_[i];
        ::new (static_cast<void*>(cells + i))
            Cell{draft.fixed.empty() ? placed(draft.slice) : draft.fixed, draft.number, draft.timeNs};
    }
    Label* const labels = reinterpret_cast<Label*>(block + cellBytes);
    for (std::size_t i = 0; i < labels_.size(); ++i) {
        ::new (static_cast<void*>(labels + i)) Label{placed(labels_[i].first), placed(labels_[i].second)};
    }
    row->ns = placed(ns_);
    row->name = placed(name_);
    row->uid = placed(uid_);
    row->key = placed(key);
    row->resourceVersion = placed(version_);
    row->createdNs = createdNs_;
    row->ownerKind = placed(ownerKind_);
    row->ownerName = placed(ownerName_);
    row->ownerUid = placed(ownerUid_);
    row->deleting = deleting_;
    row->isProtected = protected_;
    row->health = health_;
    row->trouble = placed(trouble_);
    row->cells = {cells, cells_.size()};
    row->labels = {labels, labels_.size()};
    clear();
    return row;
}

} // namespace alidade::cluster
