// SPDX-License-Identifier: GPL-3.0-or-later
#include "world/world.hpp"

#include <array>
#include <cstdio>

namespace alidade::simulator {

namespace {
constexpr std::size_t historyLength = 8192; // changes kept per kind
}

Entry::Entry(const KindDef& kind, Json doc, std::uint64_t rv)
    : kind_(&kind), ns_(str(doc, {"metadata", "namespace"})), name_(str(doc, {"metadata", "name"})),
      uid_(str(doc, {"metadata", "uid"})), rv_(rv), deleting_(!at(doc, {"metadata", "deletionTimestamp"}).is_null()),
      doc_(std::move(doc)) {}

Entry::Entry(const KindDef& kind, std::string ns, std::string name, std::string uid, std::string bytes,
             std::uint64_t rv)
    : kind_(&kind), ns_(std::move(ns)), name_(std::move(name)), uid_(std::move(uid)), rv_(rv), bulk_(true),
      bytes_(std::move(bytes)) {}

const Json& Entry::doc() const {
    if (bulk_ && doc_.is_null())
        doc_ = Json::parse(bytes_, nullptr, false);
    return doc_;
}

const std::string& Entry::bytes() const {
    if (bytes_.empty())
        bytes_ = dump(doc_);
    return bytes_;
}

Json Entry::full() const {
    Json out = doc();
    out["kind"] = kind_->kind;
    out["apiVersion"] = kind_->apiVersion();
    return out;
}

World::World(WallTime start) : clock_(start) {}

const KindDef& World::kind(std::string_view resource) const {
    for (const auto& def : kinds_.all())
        if (def.resource == resource && !def.custom)
            return def;
    return kinds_.all().front();
}

World::Shelf& World::shelf(const KindDef& kind) {
    while (shelves_.size() <= kind.index)
        shelves_.push_back(std::make_unique<Shelf>());
    return *shelves_[kind.index];
}

const World::Objects& World::objects(const KindDef& kind) const {
    static const Objects none;
    return kind.index < shelves_.size() ? shelves_[kind.index]->objects : none;
}

const std::deque<Change>& World::history(const KindDef& kind) const {
    static const std::deque<Change> none;
    return kind.index < shelves_.size() ? shelves_[kind.index]->history : none;
}

EntryPtr World::find(const KindDef& kind, std::string_view ns, std::string_view name) const {
    const auto& all = objects(kind);
    std::string key;
    if (kind.namespaced)
        key.append(ns).append("/");
    key.append(name);
    const auto it = all.find(key);
    return it == all.end() ? nullptr : it->second;
}

EntryPtr World::findByUid(const std::string& uid) const {
    const auto it = byUid_.find(uid);
    return it == byUid_.end() ? nullptr : it->second;
}

std::vector<EntryPtr> World::list(const KindDef& kind, std::string_view ns) const {
    const auto& all = objects(kind);
    std::vector<EntryPtr> out;
    const std::string prefix = std::string(ns) + "/";
    for (auto it = ns.empty() ? all.begin() : all.lower_bound(prefix); it != all.end(); ++it) {
        if (!ns.empty() && it->first.compare(0, prefix.size(), prefix) != 0)
            break;
        if (!it->second->bulk())
            out.push_back(it->second);
    }
    return out;
}

std::vector<EntryPtr> World::dependents(const std::string& uid) const {
    std::vector<EntryPtr> out;
    if (const auto it = owned_.find(uid); it != owned_.end())
        for (const auto& child : it->second)
            if (auto entry = findByUid(child))
                out.push_back(std::move(entry));
    std::sort(out.begin(), out.end(), [](const EntryPtr& a, const EntryPtr& b) { return a->key() < b->key(); });
    return out;
}

void World::indexOwners(const Entry& entry, bool add) {
    if (entry.bulk())
        return;
    for (const auto& owner : items(at(entry.doc(), {"metadata", "ownerReferences"}))) {
        const auto uid = str(at(owner, "uid"));
        if (add) {
            owned_[uid].insert(entry.uid());
        } else if (const auto it = owned_.find(uid); it != owned_.end()) {
            it->second.erase(entry.uid());
            if (it->second.empty())
                owned_.erase(it);
        }
    }
}

void World::announce(Shelf& shelf, Change change) {
    shelf.history.push_back(change);
    if (shelf.history.size() > historyLength) {
        shelf.oldest = shelf.history.front().rv;
        shelf.history.pop_front();
    }
    for (std::size_t i = 0; i < listeners_.size(); ++i)
        listeners_[i](change);
}

EntryPtr World::write(const KindDef& kind, Json doc) {
    auto& meta = object(doc, "metadata");
    doc.erase("kind");
    doc.erase("apiVersion");
    if (str(at(meta, "uid")).empty())
        meta["uid"] = newUid();
    if (!at(meta, "creationTimestamp").is_string())
        meta["creationTimestamp"] = stamp(now());
    if (!kind.namespaced)
        meta.erase("namespace");
    else if (str(at(meta, "namespace")).empty())
        meta["namespace"] = "default";
    meta["resourceVersion"] = std::to_string(++rv_);
    auto entry = std::make_shared<const Entry>(kind, std::move(doc), rv_);
    auto& place = shelf(kind);
    auto& slot = place.objects[entry->key()];
    EntryPtr previous = slot;
    if (previous) {
        indexOwners(*previous, false);
        byUid_.erase(previous->uid());
    }
    slot = entry;
    byUid_[entry->uid()] = entry;
    indexOwners(*entry, true);
    announce(place, {previous ? ChangeType::Modified : ChangeType::Added, rv_, &kind, entry, previous});
    return entry;
}

void World::writeBulk(const KindDef& kind, std::string ns, std::string name,
                      const std::function<std::string(std::uint64_t rv, const std::string& uid)>& bytes) {
    const auto uid = newUid();
    ++rv_;
    auto entry = std::make_shared<const Entry>(kind, std::move(ns), std::move(name), uid, bytes(rv_, uid), rv_);
    auto& place = shelf(kind);
    place.oldest = rv_;
    place.objects[entry->key()] = entry;
}

void World::erase(const KindDef& kind, std::string_view ns, std::string_view name) {
    const auto entry = find(kind, ns, name);
    if (!entry)
        return;
    auto& place = shelf(kind);
    place.objects.erase(entry->key());
    indexOwners(*entry, false);
    byUid_.erase(entry->uid());
    Json last = entry->doc();
    last["metadata"]["resourceVersion"] = std::to_string(++rv_);
    auto gone = std::make_shared<const Entry>(kind, std::move(last), rv_);
    announce(place, {ChangeType::Deleted, rv_, &kind, gone, entry});
}

std::uint64_t World::oldestResume(const KindDef& kind) const {
    return kind.index < shelves_.size() ? shelves_[kind.index]->oldest : 0;
}

void World::compact() {
    for (const auto& def : kinds_.all()) {
        auto& place = shelf(def);
        place.history.clear();
        place.oldest = rv_;
    }
}

std::string World::newUid() {
    const auto a = random_();
    const auto b = random_();
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%08x-%04x-4%03x-%04x-%012llx", static_cast<unsigned>(a >> 32U),
                  static_cast<unsigned>((a >> 16U) & 0xffffU), static_cast<unsigned>(a & 0xfffU),
                  static_cast<unsigned>(0x8000U | ((b >> 48U) & 0x3fffU)),
                  static_cast<unsigned long long>(b & 0xffffffffffffULL));
    return text.data();
}

std::string World::randomSuffix(int length) {
    static constexpr std::string_view letters = "bcdfghjklmnpqrstvwxz2456789";
    std::string out;
    for (int i = 0; i < length; ++i)
        out += letters[random_() % letters.size()];
    return out;
}

std::string controllerUid(const Json& doc) {
    for (const auto& owner : items(at(doc, {"metadata", "ownerReferences"})))
        if (boolean(at(owner, "controller")))
            return str(at(owner, "uid"));
    return {};
}

Json ownerReference(const Entry& owner, bool blockDeletion) {
    return {{"apiVersion", owner.kind().apiVersion()},
            {"kind", owner.kind().kind},
            {"name", owner.name()},
            {"uid", owner.uid()},
            {"controller", true},
            {"blockOwnerDeletion", blockDeletion}};
}

} // namespace alidade::simulator
