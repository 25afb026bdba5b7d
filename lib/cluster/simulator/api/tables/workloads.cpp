// SPDX-License-Identifier: GPL-3.0-or-later
// kubectl's rows of workloads.
#include "alidade/cluster_model/rows.hpp"
#include "api/tables/table.hpp"

namespace alidade::simulator {

namespace {

std::string of(std::int64_t a, std::int64_t b) { return std::to_string(a) + "/" + std::to_string(b); }

const std::vector<ColumnDef> wideThree{{"Containers", "string", 1}, {"Images", "string", 1}, {"Selector", "string", 1}};

std::vector<ColumnDef> with(std::vector<ColumnDef> columns, const std::vector<ColumnDef>& more) {
    columns.insert(columns.end(), more.begin(), more.end());
    return columns;
}

std::string duration(const Json& from, const Json& to, WallTime now) {
    const auto start = guard::parseRfc3339(str(from));
    if (!start)
        return "";
    return cluster::ageText(start->time_since_epoch().count(), guard::parseRfc3339(str(to)).value_or(now));
}

std::string jobStatus(const Json& job) {
    const auto holds = [&](std::string_view type) {
        for (const auto& c : items(at(job, {"status", "conditions"})))
            if (str(at(c, "type")) == type && str(at(c, "status")) == "True")
                return true;
        return false;
    };
    if (holds("Complete"))
        return "Complete";
    if (holds("Failed"))
        return "Failed";
    if (!at(job, {"metadata", "deletionTimestamp"}).is_null())
        return "Terminating";
    for (const auto* type : {"Suspended", "FailureTarget", "SuccessCriteriaMet"})
        if (holds(type))
            return type;
    return "Running";
}

} // namespace

TableKind workloadTable(const KindDef& kind) {
    const auto& r = kind.resource;
    if (r == "deployments")
        return {with({{"Name"}, {"Ready"}, {"Up-to-date", "integer"}, {"Available", "integer"}, {"Age"}}, wideThree),
                [](const Entry& e, WallTime now) -> Json {
                    const Json& d = e.doc();
                    const Json& pod = at(d, {"spec", "template", "spec"});
                    return {e.name(),
                            of(integer(d, {"status", "readyReplicas"}), integer(d, {"spec", "replicas"})),
                            integer(d, {"status", "updatedReplicas"}),
                            integer(d, {"status", "availableReplicas"}),
                            age(e, now),
                            containerNames(pod),
                            containerImages(pod),
                            selectorText(at(d, {"spec", "selector"}))};
                }};
    if (r == "replicasets" || r == "replicationcontrollers")
        return {
            with({{"Name"}, {"Desired", "integer"}, {"Current", "integer"}, {"Ready", "integer"}, {"Age"}}, wideThree),
            [](const Entry& e, WallTime now) -> Json {
                const Json& d = e.doc();
                const Json& pod = at(d, {"spec", "template", "spec"});
                const auto selector = e.kind().resource == "replicationcontrollers"
                                          ? labelText(at(d, {"spec", "selector"}))
                                          : selectorText(at(d, {"spec", "selector"}));
                return {e.name(),
                        integer(d, {"spec", "replicas"}),
                        integer(d, {"status", "replicas"}),
                        integer(d, {"status", "readyReplicas"}),
                        age(e, now),
                        containerNames(pod),
                        containerImages(pod),
                        selector};
            }};
    if (r == "statefulsets")
        return {{{"Name"}, {"Ready"}, {"Age"}, {"Containers", "string", 1}, {"Images", "string", 1}},
                [](const Entry& e, WallTime now) -> Json {
                    const Json& d = e.doc();
                    const Json& pod = at(d, {"spec", "template", "spec"});
                    return {e.name(), of(integer(d, {"status", "readyReplicas"}), integer(d, {"spec", "replicas"})),
                            age(e, now), containerNames(pod), containerImages(pod)};
                }};
    if (r == "daemonsets")
        return {with({{"Name"},
                      {"Desired", "integer"},
                      {"Current", "integer"},
                      {"Ready", "integer"},
                      {"Up-to-date", "integer"},
                      {"Available", "integer"},
                      {"Node Selector"},
                      {"Age"}},
                     wideThree),
                [](const Entry& e, WallTime now) -> Json {
                    const Json& d = e.doc();
                    const Json& pod = at(d, {"spec", "template", "spec"});
                    return {e.name(),
                            integer(d, {"status", "desiredNumberScheduled"}),
                            integer(d, {"status", "currentNumberScheduled"}),
                            integer(d, {"status", "numberReady"}),
                            integer(d, {"status", "updatedNumberScheduled"}),
                            integer(d, {"status", "numberAvailable"}),
                            labelText(at(pod, "nodeSelector")),
                            age(e, now),
                            containerNames(pod),
                            containerImages(pod),
                            selectorText(at(d, {"spec", "selector"}))};
                }};
    if (r == "jobs")
        return {with({{"Name"}, {"Status"}, {"Completions"}, {"Duration"}, {"Age"}}, wideThree),
                [](const Entry& e, WallTime now) -> Json {
                    const Json& d = e.doc();
                    const Json& pod = at(d, {"spec", "template", "spec"});
                    return {e.name(),
                            jobStatus(d),
                            of(integer(d, {"status", "succeeded"}), integer(d, {"spec", "completions"}, 1)),
                            duration(at(d, {"status", "startTime"}), at(d, {"status", "completionTime"}), now),
                            age(e, now),
                            containerNames(pod),
                            containerImages(pod),
                            selectorText(at(d, {"spec", "selector"}))};
                }};
    if (r == "cronjobs")
        return {with({{"Name"},
                      {"Schedule"},
                      {"Timezone"},
                      {"Suspend", "boolean"},
                      {"Active", "integer"},
                      {"Last Schedule"},
                      {"Age"}},
                     wideThree),
                [](const Entry& e, WallTime now) -> Json {
                    const Json& d = e.doc();
                    const Json& pod = at(d, {"spec", "jobTemplate", "spec", "template", "spec"});
                    const Json& last = at(d, {"status", "lastScheduleTime"});
                    return {e.name(),
                            str(d, {"spec", "schedule"}),
                            orNone(str(d, {"spec", "timeZone"})),
                            boolean(at(d, {"spec", "suspend"})) ? "True" : "False",
                            static_cast<std::int64_t>(items(at(d, {"status", "active"})).size()),
                            last.is_null() ? "<none>" : since(last, now),
                            age(e, now),
                            containerNames(pod),
                            containerImages(pod),
                            selectorText(at(d, {"spec", "jobTemplate", "spec", "selector"}))};
                }};
    if (r == "horizontalpodautoscalers")
        return {
            {{"Name"}, {"Reference"}, {"Targets"}, {"MinPods"}, {"MaxPods"}, {"Replicas"}, {"Age"}},
            [](const Entry& e, WallTime now) -> Json {
                const Json& d = e.doc();
                std::string targets;
                std::size_t i = 0;
                for (const auto& metric : items(at(d, {"spec", "metrics"}))) {
                    const auto& current = items(at(d, {"status", "currentMetrics"}));
                    std::string now_ = "<unknown>";
                    if (i < current.size() && at(current[i], {"resource", "current", "averageUtilization"}).is_number())
                        now_ = std::to_string(integer(current[i], {"resource", "current", "averageUtilization"})) + "%";
                    const Json& goal = at(metric, {"resource", "target", "averageUtilization"});
                    targets += (targets.empty() ? "" : ", ") + str(metric, {"resource", "name"}) + ": " + now_ + "/" +
                               (goal.is_number() ? std::to_string(integer(goal)) + "%"
                                                 : str(metric, {"resource", "target", "averageValue"}, "<auto>"));
                    ++i;
                }
                return {e.name(),
                        str(d, {"spec", "scaleTargetRef", "kind"}) + "/" + str(d, {"spec", "scaleTargetRef", "name"}),
                        orNone(targets),
                        std::to_string(integer(d, {"spec", "minReplicas"}, 1)),
                        integer(d, {"spec", "maxReplicas"}),
                        integer(d, {"status", "currentReplicas"}),
                        age(e, now)};
            }};
    if (r == "poddisruptionbudgets")
        return {{{"Name"}, {"Min Available"}, {"Max Unavailable"}, {"Allowed Disruptions", "integer"}, {"Age"}},
                [](const Entry& e, WallTime now) -> Json {
                    const auto text = [](const Json& v) {
                        return v.is_null() ? std::string("N/A") : v.is_number() ? std::to_string(integer(v)) : str(v);
                    };
                    const Json& d = e.doc();
                    return {e.name(), text(at(d, {"spec", "minAvailable"})), text(at(d, {"spec", "maxUnavailable"})),
                            integer(d, {"status", "disruptionsAllowed"}), age(e, now)};
                }};
    if (r == "controllerrevisions")
        return {{{"Name"}, {"Controller"}, {"Revision"}, {"Age"}}, [](const Entry& e, WallTime now) -> Json {
                    std::string owner = "<none>";
                    for (const auto& o : items(at(e.doc(), {"metadata", "ownerReferences"}))) {
                        auto lower = str(at(o, "kind"));
                        for (auto& c : lower)
                            c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
                        owner = lower + ".apps/" + str(at(o, "name"));
                    }
                    return {e.name(), owner, integer(e.doc(), {"revision"}), age(e, now)};
                }};
    return {};
}

} // namespace alidade::simulator
