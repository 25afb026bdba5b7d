// SPDX-License-Identifier: GPL-3.0-or-later
// GET and LIST: paging over consistent snapshots, tables, metadata only.
#include <algorithm>
#include <utility>

#include "api/convert.hpp"
#include "api/server.hpp"

namespace alidade::simulator {

namespace {

constexpr std::size_t streamFrom = 4UL * 1024 * 1024;
constexpr std::size_t snapshotsKept = 16;

struct Token {
    std::int64_t rv = 0; ///< -1: go on from what there is now
    std::string start;
};

std::string encode(const Token& token) {
    return encodeBase64(dump({{"v", "meta.k8s.io/v1"}, {"rv", token.rv}, {"start", token.start}}));
}

std::optional<Token> decode(const std::string& text) {
    const auto json = Json::parse(decodeBase64(text), nullptr, false);
    if (!json.is_object() || !at(json, "start").is_string())
        return std::nullopt;
    return Token{integer(at(json, "rv")), str(at(json, "start"))};
}

/// Writes pieces as fast as the connection takes them.
class ListStream {
public:
    std::function<void()> finished; ///< called once, last
    ListStream(ResponderPtr out, std::vector<EntryPtr> entries, std::string head, std::string tail,
               std::function<void(std::string&, const Entry&)> item)
        : out_(std::move(out)), entries_(std::move(entries)), buffer_(std::move(head)), tail_(std::move(tail)),
          item_(std::move(item)) {}
    void pump() {
        while (!done_ && out_->unsentBytes() < piece) {
            while (next_ < entries_.size() && buffer_.size() < piece) {
                if (next_ > 0)
                    buffer_ += ',';
                item_(buffer_, *entries_[next_]);
                entries_[next_++].reset();
            }
            if (next_ == entries_.size()) {
                buffer_ += tail_;
                out_->write(buffer_);
                done_ = true;
                out_->finish();
                end();
                return;
            }
            out_->write(buffer_);
            buffer_.clear();
        }
    }

    void end() {
        done_ = true;
        if (const auto call = std::exchange(finished, nullptr))
            call();
    }

private:
    static constexpr std::size_t piece = 512UL * 1024;
    ResponderPtr out_;
    std::vector<EntryPtr> entries_;
    std::size_t next_ = 0;
    std::string buffer_, tail_;
    std::function<void(std::string&, const Entry&)> item_;
    bool done_ = false;
};

} // namespace

void ApiServer::get(Call& call) {
    const auto entry = target(call);
    if (!entry)
        return refuse(call, entry.error());
    answerObject(call, 200, **entry);
}

std::shared_ptr<const std::vector<EntryPtr>> ApiServer::snapshot(const KindDef& kind, std::uint64_t rv) const {
    for (const auto& one : snapshots_)
        if (one.kind == kind.index && one.rv == rv)
            return one.entries;
    return nullptr;
}

void ApiServer::list(Call& call) {
    const auto shape = negotiate(call.request);
    if (!shape)
        return answerBytes(call, 406, "only the following media types are accepted: application/json\n", "text/plain");
    const auto& kind = *call.served->kind;
    const auto labels = LabelSelector::parse(param(call.request, "labelSelector"));
    if (!labels)
        return refuse(call, labels.error());
    const auto fields = FieldSelector::parse(kind, param(call.request, "fieldSelector"));
    if (!fields)
        return refuse(call, fields.error());
    const auto wantedRv = param(call.request, "resourceVersion");
    auto limit = static_cast<std::size_t>(std::max<std::int64_t>(0, number(call.request, "limit").value_or(0)));
    const auto tokenText = param(call.request, "continue");
    if (wantedRv == "0" && tokenText.empty())
        limit = 0; // answered from the watch cache, whole
    if (const auto rv = std::strtoull(wantedRv.c_str(), nullptr, 10); rv > world_.rv())
        return refuse(call,
                      {504,
                       "Timeout",
                       "Timeout: Too large resource version: " + wantedRv + ", current: " + std::to_string(world_.rv()),
                       {{"retryAfterSeconds", 1},
                        {"causes", Json::array({{{"reason", "ResourceVersionTooLarge"},
                                                 {"message", "Too large resource version"}}})}},
                       {}});
    std::uint64_t rv = world_.rv();
    std::string start;
    std::shared_ptr<const std::vector<EntryPtr>> frozen;
    if (!tokenText.empty()) {
        const auto token = decode(tokenText);
        if (!token)
            return refuse(call, badRequest("continue key is not valid: illegal base64 data"));
        start = token->start;
        if (token->rv >= 0) {
            rv = static_cast<std::uint64_t>(token->rv);
            frozen = snapshot(kind, rv);
            if (!frozen) {
                auto gone = expired("The provided continue parameter is too old to display a consistent list result. "
                                    "You can start a new list without the "
                                    "continue parameter, or use the continue token in this response to retrieve the "
                                    "remainder of the results. Continuing with the "
                                    "provided token results in an inconsistent list - objects that were created, "
                                    "modified, or deleted between the time the first "
                                    "chunk was returned and now may show up in the list.");
                gone.continueToken = encode({-1, start});
                return refuse(call, gone);
            }
        }
    }
    std::vector<EntryPtr> chosen;
    std::string next;
    std::optional<std::int64_t> remaining;
    const std::string prefix = call.ns.empty() ? std::string() : call.ns + "/";
    const bool plain = labels->empty() && fields->empty();
    const auto consider = [&](const EntryPtr& entry) {
        if (!prefix.empty() && entry->ns() != call.ns)
            return true;
        if (!fields->empty() && !fields->matches(*entry))
            return true;
        if (!labels->empty() && !labels->matches(at(entry->doc(), {"metadata", "labels"})))
            return true;
        if (limit != 0 && chosen.size() == limit) {
            next = chosen.back()->key();
            return false;
        }
        chosen.push_back(entry);
        return true;
    };
    std::int64_t passed = 0;
    std::int64_t total = 0;
    if (frozen) {
        const auto first = std::upper_bound(frozen->begin(), frozen->end(), start,
                                            [](const std::string& key, const EntryPtr& e) { return key < e->key(); });
        total = frozen->end() - first;
        for (auto it = first; it != frozen->end(); ++it, ++passed)
            if (!consider(*it))
                break;
        if (plain && !prefix.empty())
            total = std::count_if(first, frozen->end(), [&](const EntryPtr& e) { return e->ns() == call.ns; });
    } else {
        const auto& all = world_.objects(kind);
        auto it = !start.empty() ? all.upper_bound(start) : prefix.empty() ? all.begin() : all.lower_bound(prefix);
        const auto first = it;
        for (; it != all.end(); ++it) {
            if (!prefix.empty() && it->second->ns() != call.ns)
                break;
            if (!consider(it->second))
                break;
        }
        if (!next.empty() && plain)
            for (auto rest = first; rest != all.end() && (prefix.empty() || rest->second->ns() == call.ns); ++rest)
                ++total;
    }
    if (!next.empty()) {
        if (plain)
            remaining = total - static_cast<std::int64_t>(chosen.size());
        if (!frozen && !snapshot(kind, rv)) {
            auto entries = std::make_shared<std::vector<EntryPtr>>();
            for (const auto& [key, entry] : world_.objects(kind))
                entries->push_back(entry);
            snapshots_.push_back({kind.index, rv, std::move(entries)});
            if (snapshots_.size() > snapshotsKept)
                snapshots_.pop_front();
        }
        next = encode({static_cast<std::int64_t>(rv), next});
    }
    Json meta = {{"resourceVersion", std::to_string(rv)}};
    if (!next.empty())
        meta["continue"] = next;
    if (remaining)
        meta["remainingItemCount"] = *remaining;
    const auto open = [&](const std::string& listKind, const std::string& apiVersion, const std::string& field,
                          const std::string& more = {}) {
        return "{\"kind\":\"" + listKind + "\",\"apiVersion\":\"" + apiVersion + "\",\"metadata\":" + dump(meta) +
               more + ",\"" + field + "\":[";
    };
    std::string head;
    std::function<void(std::string&, const Entry&)> item;
    if (shape->form == Form::Object) {
        head = open(kind.kind + "List", call.served->apiVersion(), "items");
        if (call.served->isStored())
            item = [](std::string& out, const Entry& e) { out += e.bytes(); };
        else
            item = [served = call.served](std::string& out, const Entry& e) { out += itemBytes(*served, e); };
    } else if (shape->form == Form::Metadata) {
        head = open("PartialObjectMetadataList", "meta.k8s.io/v1", "items");
        item = [](std::string& out, const Entry& e) { out += "{\"metadata\":" + dump(at(e.doc(), "metadata")) + "}"; };
    } else {
        const auto table = tableFor(world_, kind);
        head = open("Table", "meta.k8s.io/v1", "rows", ",\"columnDefinitions\":" + dump(columnJson(table.columns)));
        item = [table, include = shape->include, served = call.served, now = world_.now()](std::string& out,
                                                                                           const Entry& e) {
            out += "{\"cells\":" + dump(table.cells(e, now));
            if (include == Include::Metadata)
                out += ",\"object\":" + dump(partialMetadata(e));
            if (include == Include::Object)
                out += ",\"object\":" + shownBytes(*served, e);
            out += "}";
        };
    }
    std::size_t guess = head.size();
    for (const auto& entry : chosen)
        guess += entry->bulk() ? entry->bytes().size() : 1024;
    if (guess > streamFrom) {
        call.out->begin(200, headers("application/json"));
        auto stream =
            std::make_shared<ListStream>(call.out, std::move(chosen), std::move(head), "]}\n", std::move(item));
        streams_.push_back(stream);
        stream->finished = [this, place = std::prev(streams_.end())] { streams_.erase(place); };
        const std::weak_ptr<ListStream> weak(stream);
        call.out->onDrained([weak] {
            if (const auto s = weak.lock())
                s->pump();
        });
        call.out->onClosed([weak] {
            if (const auto s = weak.lock())
                s->end();
        });
        stream->pump();
        return;
    }
    std::string out = std::move(head);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (i > 0)
            out += ',';
        item(out, *chosen[i]);
    }
    out += "]}\n";
    answerBytes(call, 200, std::move(out));
}

} // namespace alidade::simulator
