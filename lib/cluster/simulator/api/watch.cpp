// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "api/convert.hpp"
#include "api/watcher.hpp"

namespace alidade::simulator {

namespace {
constexpr std::size_t windowBytes = 1024UL * 1024; // unsent bytes before a watch waits for its connection
constexpr std::size_t mostPending = 200'000;
constexpr Millis bookmarkEvery{60'000};
} // namespace

ApiServer::~ApiServer() { watchers_.clear(); }

Watcher::Watcher(ApiServer& server, const Call& call, Shape shape, LabelSelector labels, FieldSelector fields)
    : server_(server), served_(call.served), ns_(call.ns), out_(call.out), shape_(shape), labels_(std::move(labels)),
      fields_(std::move(fields)), bookmarks_(flag(call.request, "allowWatchBookmarks")) {
    if (shape_.form == Form::Table)
        table_ = tableFor(server_.world_, *served_->kind);
}

Watcher::~Watcher() {
    for (const auto id : timers_)
        server_.world_.clock().cancel(id);
}

bool Watcher::wanted(const Entry& entry) const {
    return (ns_.empty() || entry.ns() == ns_) && (fields_.empty() || fields_.matches(entry)) &&
           (labels_.empty() || labels_.matches(at(entry.doc(), {"metadata", "labels"})));
}

void Watcher::start(std::vector<EntryPtr> initial, bool endMark, const std::deque<Change>& replay,
                    std::uint64_t after) {
    initial_ = std::move(initial);
    endMark_ = endMark;
    listedAt_ = server_.world_.rv();
    for (const auto& old : replay)
        if (old.rv > after)
            change(old);
    pump();
}

void Watcher::change(const Change& change) {
    if (done_)
        return;
    // A selector turns changes into arrivals and departures.
    const bool is = change.type != ChangeType::Deleted && wanted(*change.object);
    const bool was = change.previous && wanted(*change.previous);
    if (!is && !was)
        return;
    const char* type = is && was ? "MODIFIED" : is ? "ADDED" : "DELETED";
    pending_.push_back({type, change.object});
    if (pending_.size() > mostPending) {
        out_->abort(false);
        return close();
    }
    pump();
}

std::string Watcher::shownAs(const Entry& entry) {
    if (shape_.form == Form::Object)
        return shownBytes(*served_, entry);
    if (shape_.form == Form::Metadata)
        return dump(partialMetadata(entry));
    Json row = {{"cells", table_.cells(entry, server_.world_.now())}};
    if (shape_.include == Include::Metadata)
        row["object"] = partialMetadata(entry);
    if (shape_.include == Include::Object)
        row["object"] = shown(*served_, entry);
    Json table = {{"kind", "Table"},
                  {"apiVersion", "meta.k8s.io/v1"},
                  {"metadata", {{"resourceVersion", std::to_string(entry.rv())}}},
                  {"columnDefinitions", nullptr},
                  {"rows", Json::array({row})}};
    if (!std::exchange(columnsSent_, true))
        table["columnDefinitions"] = columnJson(table_.columns);
    return dump(table);
}

void Watcher::event(const char* type, const std::string& object) {
    std::string line = "{\"type\":\"";
    line.append(type).append("\",\"object\":").append(object).append("}\n");
    out_->write(line);
}

void Watcher::pump() {
    while (!done_ && !out_->closed() && out_->unsentBytes() < windowBytes) {
        if (nextInitial_ < initial_.size()) {
            event("ADDED", shownAs(*initial_[nextInitial_]));
            initial_[nextInitial_++].reset();
        } else if (endMark_) {
            endMark_ = false;
            bookmark(true);
        } else if (!pending_.empty()) {
            const auto next = std::move(pending_.front());
            pending_.pop_front();
            event(next.type, shownAs(*next.object));
        } else {
            return;
        }
    }
}

void Watcher::bookmark(bool initialEnd) {
    Json meta = {{"resourceVersion", std::to_string(initialEnd ? listedAt_ : server_.world_.rv())},
                 {"creationTimestamp", nullptr}};
    if (initialEnd)
        meta["annotations"] = {{"k8s.io/initial-events-end", "true"}};
    Json object = {{"kind", served_->kind->kind}, {"apiVersion", served_->apiVersion()}, {"metadata", meta}};
    if (shape_.form != Form::Object)
        object = {{"kind", "PartialObjectMetadata"}, {"apiVersion", "meta.k8s.io/v1"}, {"metadata", meta}};
    if (shape_.form == Form::Table)
        object = {{"kind", "Table"},
                  {"apiVersion", "meta.k8s.io/v1"},
                  {"metadata", {{"resourceVersion", at(meta, "resourceVersion")}}},
                  {"columnDefinitions", nullptr},
                  {"rows", Json::array({{{"cells", Json::array()}, {"object", object}}})}};
    event("BOOKMARK", dump(object));
}

void Watcher::gone(std::uint64_t wanted, std::uint64_t oldest) {
    event("ERROR", dump(statusJson(expired("too old resource version: " + std::to_string(wanted) + " (" +
                                           std::to_string(oldest) + ")"))));
    out_->finish();
    close();
}

void Watcher::close() {
    if (std::exchange(done_, true))
        return;
    for (const auto id : timers_)
        server_.world_.clock().cancel(id);
    timers_.clear();
    if (const auto call = std::exchange(finished, nullptr))
        call();
}

void ApiServer::watch(Call& call) {
    const auto shape = negotiate(call.request);
    if (!shape)
        return answerBytes(call, 406, "only the following media types are accepted: application/json\n", "text/plain");
    const auto& kind = *call.served->kind;
    auto labels = LabelSelector::parse(param(call.request, "labelSelector"));
    if (!labels)
        return refuse(call, labels.error());
    auto fields = FieldSelector::parse(kind, param(call.request, "fieldSelector"));
    if (!fields)
        return refuse(call, fields.error());
    const bool listed = flag(call.request, "sendInitialEvents");
    const auto forbiddenOption = [&](const std::string& field, const std::string& why) {
        refuse(
            call,
            {422,
             "Invalid",
             "ListOptions.meta.k8s.io \"\" is invalid: " + field + ": Forbidden: " + why,
             {{"group", "meta.k8s.io"},
              {"kind", "ListOptions"},
              {"causes",
               Json::array({{{"reason", "FieldValueForbidden"}, {"message", "Forbidden: " + why}, {"field", field}}})}},
             {}});
    };
    if (call.request.param("sendInitialEvents") && !options_.watchList)
        return forbiddenOption("sendInitialEvents",
                               "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled");
    if (listed && param(call.request, "resourceVersionMatch") != "NotOlderThan")
        return forbiddenOption("resourceVersionMatch",
                               "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    const auto rvText = param(call.request, "resourceVersion");
    const auto rv = std::strtoull(rvText.c_str(), nullptr, 10);
    call.out->begin(200, headers("application/json"));
    const auto watcher = std::make_shared<Watcher>(*this, call, *shape, std::move(*labels), std::move(*fields));
    watchers_.push_back(watcher);
    watcher->finished = [this, place = std::prev(watchers_.end())] {
        // It may be in the middle of a call: it goes once the world is at rest.
        world_.clock().after(Millis(0), [keep = *place] {});
        watchers_.erase(place);
    };
    if (!listed && rv != 0 && rv < world_.oldestResume(kind))
        return watcher->gone(rv, world_.oldestResume(kind));
    watcher->begin(number(call.request, "timeoutSeconds"));
    if (listed || rv == 0) {
        std::vector<EntryPtr> initial;
        for (const auto& [key, entry] : world_.objects(kind))
            if (watcher->wanted(*entry))
                initial.push_back(entry);
        watcher->start(std::move(initial), listed, {}, 0);
    } else {
        watcher->start({}, false, world_.history(kind), rv);
    }
}

void Watcher::begin(std::optional<std::int64_t> timeoutSeconds) {
    const std::weak_ptr<Watcher> weak = weak_from_this();
    out_->onDrained([weak] {
        if (const auto self = weak.lock())
            self->pump();
    });
    out_->onClosed([weak] {
        if (const auto self = weak.lock())
            self->close();
    });
    auto& clock = server_.world_.clock();
    const auto seconds = timeoutSeconds.value_or(1800 + static_cast<std::int64_t>(server_.world_.random() % 1800));
    timers_.push_back(clock.after(Millis(std::max<std::int64_t>(0, seconds) * 1000), [weak] {
        const auto self = weak.lock();
        if (!self || self->done_)
            return;
        if (self->bookmarks_ && self->pending_.empty() && self->nextInitial_ == self->initial_.size())
            self->bookmark(false);
        self->out_->finish();
        self->close();
    }));
    if (bookmarks_)
        scheduleBookmark();
}

void Watcher::scheduleBookmark() {
    timers_.push_back(server_.world_.clock().after(bookmarkEvery, [weak = weak_from_this()] {
        const auto self = weak.lock();
        if (!self || self->done_)
            return;
        if (self->pending_.empty() && self->nextInitial_ == self->initial_.size())
            self->bookmark(false);
        self->timers_.resize(1);
        self->scheduleBookmark();
    }));
}

} // namespace alidade::simulator
