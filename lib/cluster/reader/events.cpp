// SPDX-License-Identifier: GPL-3.0-or-later
#include "reader/json_fields.hpp"
#include "reader/reads.hpp"

#include <algorithm>
#include <set>

namespace alidade::cluster {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxEvents = 500;

EventRecord recordOf(const json& event) {
    EventRecord record;
    const json& meta = child(event, "metadata");
    record.uid = textOf(meta, "uid");
    const json& about =
        child(event, "involvedObject").is_object() ? child(event, "involvedObject") : child(event, "regarding");
    const std::string apiVersion = textOf(about, "apiVersion");
    const std::size_t slash = apiVersion.find('/');
    KindId& kind = record.about.key.kind;
    kind.group = slash == std::string::npos ? std::string() : apiVersion.substr(0, slash);
    kind.version = slash == std::string::npos ? apiVersion : apiVersion.substr(slash + 1);
    kind.kind = textOf(about, "kind");
    record.about.key.ns = textOf(about, "namespace");
    record.about.key.name = textOf(about, "name");
    record.about.uid = textOf(about, "uid");
    kind.namespaced = !record.about.key.ns.empty();

    record.type = textOf(event, "type");
    record.reason = textOf(event, "reason");
    record.message = textOf(event, "message").empty() ? textOf(event, "note") : textOf(event, "message");
    const json& source = child(event, "source").is_object() ? child(event, "source") : child(event, "deprecatedSource");
    record.source = textOf(source, "component");
    for (const char* reporter : {"reportingComponent", "reportingController"}) {
        if (record.source.empty()) {
            record.source = textOf(event, reporter);
        }
    }
    if (const std::string host = textOf(source, "host"); !host.empty()) {
        record.source += (record.source.empty() ? "" : ", ") + host;
    }

    const auto either = [&event](const char* core, const char* deprecated) {
        const auto time = timeOf(event, core);
        return time ? time : timeOf(event, deprecated);
    };
    const json& series = child(event, "series");
    const auto eventTime = timeOf(event, "eventTime");
    const auto firstTimestamp = either("firstTimestamp", "deprecatedFirstTimestamp");
    const auto lastTimestamp = either("lastTimestamp", "deprecatedLastTimestamp");
    record.first = firstTimestamp ? firstTimestamp : eventTime;
    const auto seriesTime = timeOf(series, "lastObservedTime");
    record.last = seriesTime ? seriesTime : lastTimestamp ? lastTimestamp : eventTime ? eventTime : firstTimestamp;
    auto count = integerOf(series, "count");
    for (const char* name : {"count", "deprecatedCount"}) {
        if (!count) {
            count = integerOf(event, name);
        }
    }
    record.count = static_cast<int>(std::clamp<std::int64_t>(count.value_or(1), 1, 1'000'000'000));
    return record;
}

} // namespace

std::vector<EventRecord> eventRecords(const Objects& events) {
    struct Dated {
        EventRecord record;
        guard::WallTime sortBy;
    };
    std::vector<Dated> dated;
    std::set<std::string> seen;
    for (const json& event : events) {
        Dated one{recordOf(event), {}};
        if (!one.record.uid.empty() && !seen.insert(one.record.uid).second) {
            continue;
        }
        one.sortBy =
            one.record.last.value_or(timeOf(child(event, "metadata"), "creationTimestamp").value_or(guard::WallTime{}));
        dated.push_back(std::move(one));
    }
    std::stable_sort(dated.begin(), dated.end(), [](const Dated& a, const Dated& b) { return a.sortBy > b.sortBy; });
    std::vector<EventRecord> records;
    records.reserve(dated.size());
    for (Dated& one : dated) {
        records.push_back(std::move(one.record));
    }
    return records;
}

void readEvents(const CorePtr& core, const ObjectRef& about, Done<Answer<std::vector<EventRecord>>> done) {
    ListQuery request;
    request.kind = guard::kinds::events();
    request.scope.ns = about.key.kind.namespaced ? about.key.ns : std::string();
    request.limit = kMaxEvents;
    request.checkNamespace = false;
    // A kubelet writes its node's name where others write the UID: nodes are asked for by name.
    const bool byUid = !about.uid.empty() && !(about.key.kind == guard::kinds::nodes());
    if (!guard::validObjectName(about.key.name) && !byUid) {
        done(guard::fail(guard::ErrorCode::BadRequest, "events", "the name is not a valid one"));
        return;
    }
    request.scope.fieldSelector =
        byUid ? "involvedObject.uid=" + about.uid
              : "involvedObject.name=" + about.key.name + ",involvedObject.kind=" + about.key.kind.kind;
    core->list(std::move(request), [about, done = std::move(done)](Result<Answer<Objects>> answer) {
        if (!answer) {
            done(tl::unexpected(answer.error()));
            return;
        }
        auto gaps = answer->gaps();
        for (guard::Gap& gap : gaps) {
            gap.source = "events of " + about.key.text();
        }
        done(Answer<std::vector<EventRecord>>(eventRecords(answer->partial()), "events of " + about.key.text(),
                                              std::move(gaps)));
    });
}

} // namespace alidade::cluster
