// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdio>

#include <nlohmann/json.hpp>

#include <QCoreApplication>

#include "alidade/guard/settings.hpp"
#include "alidade/models/object_text.hpp"
#include "alidade/models/text.hpp"

namespace alidade::models {
namespace {

using nlohmann::json;

/// The value at a path of keys, whatever the document looks like.
const json& at(const json& value, std::initializer_list<const char*> path) {
    static const json none;
    const json* here = &value;
    for (const char* key : path) {
        if (!here->is_object()) {
            return none;
        }
        const auto it = here->find(key);
        if (it == here->end()) {
            return none;
        }
        here = &*it;
    }
    return *here;
}

std::string text(const json& value) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    return value.is_null() || value.is_structured() ? std::string() : value.dump();
}
QString shownAt(const json& value, std::initializer_list<const char*> path) { return shown(text(at(value, path))); }
int number(const json& value) { return value.is_number_integer() ? value.get<int>() : 0; }
/// Not named tr: lupdate reads no mark inside a call of that name.
QString said(const char* source) { return QCoreApplication::translate("Overview", source); }

ConditionFact conditionOf(const json& condition) {
    ConditionFact out{shownAt(condition, {"type"}),
                      shownAt(condition, {"status"}),
                      shownAt(condition, {"reason"}),
                      shownAt(condition, {"message"}),
                      shownAt(condition, {"lastTransitionTime"}),
                      false};
    const bool badWhenTrue = out.type.endsWith(QStringLiteral("Pressure")) ||
                             out.type.endsWith(QStringLiteral("Failure")) || out.type == u"Failed" ||
                             out.type == u"NetworkUnavailable" || out.type == u"Stalled";
    const bool neutral = out.type == u"Complete" || out.type == u"Suspended" || out.type == u"SuccessCriteriaMet";
    out.bad = !neutral && (badWhenTrue ? out.status != u"False" : out.status != u"True");
    return out;
}

void describeState(const json& state, QString& word, QString& message, cluster::Health& health) {
    if (!state.is_object() || state.empty()) {
        return;
    }
    const std::string kind = state.begin().key();
    const json& body = state.begin().value();
    const QString reason = shownAt(body, {"reason"});
    message = shownAt(body, {"message"});
    if (kind == "running") {
        word = said(QT_TRANSLATE_NOOP("Overview", "running"));
        health = cluster::Health::Ok;
    } else if (kind == "waiting") {
        word = reason.isEmpty() ? said(QT_TRANSLATE_NOOP("Overview", "waiting"))
                                : said(QT_TRANSLATE_NOOP("Overview", "waiting: %1")).arg(reason);
        const bool starting = reason.isEmpty() || reason == u"ContainerCreating" || reason == u"PodInitializing";
        health = starting ? cluster::Health::Progressing : cluster::Health::Bad;
    } else if (kind == "terminated") {
        const int code = number(at(body, {"exitCode"}));
        word = said(QT_TRANSLATE_NOOP("Overview", "terminated: %1 (exit %2)"))
                   .arg(reason.isEmpty() ? QStringLiteral("-") : reason)
                   .arg(code);
        health = code == 0 ? cluster::Health::Done : cluster::Health::Bad;
    }
}

void addContainers(OverviewFacts& out, const json& spec, const json& statuses, bool init) {
    if (!spec.is_array()) {
        return;
    }
    for (const auto& each : spec) {
        ContainerFact fact;
        const std::string name = text(at(each, {"name"}));
        if (name.empty()) {
            continue;
        }
        fact.name = shown(name);
        fact.image = shownAt(each, {"image"});
        fact.init = init;
        out.containerNames.push_back(name);
        if (statuses.is_array()) {
            for (const auto& status : statuses) {
                if (text(at(status, {"name"})) != name) {
                    continue;
                }
                const json& ready = at(status, {"ready"});
                fact.ready = ready.is_boolean() && ready.get<bool>();
                fact.restarts = number(at(status, {"restartCount"}));
                describeState(at(status, {"state"}), fact.state, fact.message, fact.health);
                QString ignored;
                auto lastHealth = cluster::Health::Unknown;
                describeState(at(status, {"lastState"}), fact.last, ignored, lastHealth);
                if (fact.health == cluster::Health::Ok && !fact.ready && !init) {
                    fact.health = cluster::Health::Warning;
                }
            }
        }
        out.containers.push_back(std::move(fact));
    }
}

void addPairs(std::vector<std::pair<QString, QString>>& out, const json& object) {
    if (!object.is_object()) {
        return;
    }
    for (const auto& item : object.items()) {
        if (item.key() != "kubectl.kubernetes.io/last-applied-configuration") {
            out.emplace_back(shown(item.key()), shown(text(item.value())));
        }
    }
}

} // namespace

OverviewFacts overviewOf(const guard::KindId& kind, const nlohmann::json& object) {
    OverviewFacts out;
    const auto fact = [&](const char* label, const QString& value) {
        if (!value.isEmpty()) {
            out.facts.emplace_back(said(label), value);
        }
    };
    out.uid = text(at(object, {"metadata", "uid"}));
    out.deleting = !at(object, {"metadata", "deletionTimestamp"}).is_null();
    const json& annotations = at(object, {"metadata", "annotations"});
    if (annotations.is_object()) {
        const auto it = annotations.find(std::string(guard::protectedAnnotation));
        out.isProtected = it != annotations.end() && text(*it) == "true";
    }
    if (at(object, {"spec", "replicas"}).is_number()) {
        const int want = number(at(object, {"spec", "replicas"}));
        const int ready = number(at(object, {"status", "readyReplicas"}));
        fact(QT_TRANSLATE_NOOP("Overview", "Replicas"),
             said(QT_TRANSLATE_NOOP("Overview", "%1 of %2 ready")).arg(ready).arg(want));
    }
    fact(QT_TRANSLATE_NOOP("Overview", "Strategy"), shownAt(object, {"spec", "strategy", "type"}));
    if (kind == guard::kinds::deployments() && annotations.is_object()) {
        const auto it = annotations.find("deployment.kubernetes.io/revision");
        fact(QT_TRANSLATE_NOOP("Overview", "Revision"), it == annotations.end() ? QString() : shown(text(*it)));
    }
    fact(QT_TRANSLATE_NOOP("Overview", "Phase"), shownAt(object, {"status", "phase"}));
    fact(QT_TRANSLATE_NOOP("Overview", "Reason"), shownAt(object, {"status", "reason"}));
    fact(QT_TRANSLATE_NOOP("Overview", "Message"), shownAt(object, {"status", "message"}));
    fact(QT_TRANSLATE_NOOP("Overview", "Node"), shownAt(object, {"spec", "nodeName"}));
    fact(QT_TRANSLATE_NOOP("Overview", "Pod IP"), shownAt(object, {"status", "podIP"}));
    fact(QT_TRANSLATE_NOOP("Overview", "Service account"), shownAt(object, {"spec", "serviceAccountName"}));
    fact(QT_TRANSLATE_NOOP("Overview", "Type"), shownAt(object, {"spec", "type"}));
    fact(QT_TRANSLATE_NOOP("Overview", "Cluster IP"), shownAt(object, {"spec", "clusterIP"}));
    fact(QT_TRANSLATE_NOOP("Overview", "Kubelet"), shownAt(object, {"status", "nodeInfo", "kubeletVersion"}));
    fact(QT_TRANSLATE_NOOP("Overview", "OS image"), shownAt(object, {"status", "nodeInfo", "osImage"}));
    if (const json& data = at(object, {"data"}); data.is_object()) {
        fact(QT_TRANSLATE_NOOP("Overview", "Keys"), [&] {
            QStringList keys;
            for (const auto& item : data.items()) {
                keys << shown(item.key());
            }
            return keys.join(QStringLiteral(", "));
        }());
    }
    fact(QT_TRANSLATE_NOOP("Overview", "Created"), [&] {
        const auto created = guard::parseRfc3339(text(at(object, {"metadata", "creationTimestamp"})));
        return created ? fullTimeText(*created) : QString();
    }());
    fact(QT_TRANSLATE_NOOP("Overview", "UID"), shown(out.uid));

    if (const json& conditions = at(object, {"status", "conditions"}); conditions.is_array()) {
        for (const auto& each : conditions) {
            out.conditions.push_back(conditionOf(each));
        }
        std::stable_sort(out.conditions.begin(), out.conditions.end(),
                         [](const auto& a, const auto& b) { return a.bad > b.bad; });
    }
    const bool isPod = kind == guard::kinds::pods();
    const json& podSpec = isPod ? at(object, {"spec"}) : at(object, {"spec", "template", "spec"});
    addContainers(out, at(podSpec, {"initContainers"}), at(object, {"status", "initContainerStatuses"}), true);
    addContainers(out, at(podSpec, {"containers"}), at(object, {"status", "containerStatuses"}), false);
    if (const json& owners = at(object, {"metadata", "ownerReferences"}); owners.is_array()) {
        for (const auto& each : owners) {
            const json& controller = at(each, {"controller"});
            out.owners.push_back({shownAt(each, {"kind"}), shownAt(each, {"name"}), text(at(each, {"apiVersion"})),
                                  text(at(each, {"uid"})), controller.is_boolean() && controller.get<bool>()});
        }
    }
    addPairs(out.labels, at(object, {"metadata", "labels"}));
    addPairs(out.annotations, annotations);
    return out;
}

std::vector<DiffLine> parseUnifiedDiff(std::string_view text) {
    std::vector<DiffLine> out;
    int before = 0;
    int after = 0;
    std::size_t start = 0;
    while (start < text.size()) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string_view line = text.substr(start, end - start);
        start = end + 1;
        if (line.starts_with("--- ") || line.starts_with("+++ ")) {
            if (out.empty()) {
                continue;
            }
        }
        if (line.starts_with("@@")) {
            int b = 0;
            int a = 0;
            if (std::sscanf(std::string(line).c_str(), "@@ -%d%*[,0-9] +%d", &b, &a) == 2 ||
                std::sscanf(std::string(line).c_str(), "@@ -%d +%d", &b, &a) == 2) {
                if (!out.empty() || b > 1) {
                    out.push_back({DiffLine::Kind::Fold, b, a, shown(line)});
                }
                before = b;
                after = a;
            }
            continue;
        }
        const char sign = line.empty() ? ' ' : line.front();
        const QString rest = shown(line.empty() ? line : line.substr(1));
        if (sign == '+') {
            out.push_back({DiffLine::Kind::Added, 0, after++, rest});
        } else if (sign == '-') {
            out.push_back({DiffLine::Kind::Removed, before++, 0, rest});
        } else if (sign == ' ') {
            out.push_back({DiffLine::Kind::Context, before++, after++, rest});
        } else {
            out.push_back({DiffLine::Kind::Fold, before, after, shown(line)});
        }
    }
    return out;
}

} // namespace alidade::models
