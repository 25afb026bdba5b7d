// SPDX-License-Identifier: GPL-3.0-or-later
#include "gather/objects.hpp"

#include <algorithm>

#include "alidade/cluster_model/json_read.hpp"
#include "alidade/cluster_model/kind_table.hpp"
#include "alidade/guard/settings.hpp"

namespace alidade::agent {
namespace {

using nlohmann::json;
namespace read = cluster::read;

json stateOf(const json& status, std::string_view which) {
    const json* state = read::member(status, which);
    return state == nullptr ? json::object() : *state;
}

void fillState(const json& status, guard::ContainerSignal& out) {
    const json state = stateOf(status, "state");
    for (const std::string_view kind : {"waiting", "running", "terminated"})
        if (const json* found = read::member(state, kind)) {
            out.state = kind;
            out.reason = read::text(*found, "reason");
            out.message = read::text(*found, "message");
            out.exitCode = read::number(*found, "exitCode");
        }
    if (const json* last = read::path(status, {"lastState", "terminated"})) {
        out.lastReason = read::text(*last, "reason");
        out.lastMessage = read::text(*last, "message");
        out.lastExitCode = read::number(*last, "exitCode");
    }
    out.restarts = std::max(0, read::number(status, "restartCount"));
    out.ready = read::flag(status, "ready");
    if (const std::string image = read::text(status, "image"); out.image.empty())
        out.image = image;
}

void containerList(const json& pod, std::string_view specKey, std::string_view statusKey, bool init,
                   std::vector<guard::ContainerSignal>& out) {
    const json* statuses = read::path(pod, {"status", statusKey});
    read::each(read::path(pod, {"spec", specKey}), [&](const json& container, std::size_t) {
        guard::ContainerSignal signal;
        signal.name = read::text(container, "name");
        signal.image = read::text(container, "image");
        signal.init = init;
        read::each(statuses, [&](const json& status, std::size_t) {
            if (read::text(status, "name") == signal.name)
                fillState(status, signal);
        });
        out.push_back(std::move(signal));
    });
}

std::string scalarText(const json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

bool scalarArray(const json& value) {
    return value.is_array() &&
           std::none_of(value.begin(), value.end(), [](const json& v) { return v.is_structured(); });
}

constexpr std::size_t maxFields = 4000;

/// Lists of things with a name (or key) are told by it, so that a shifted list is no difference.
void flatten(const json& value, const std::string& field, int depth, std::map<std::string, std::string>& out) {
    if (out.size() >= maxFields || depth > 24)
        return;
    if (value.is_object()) {
        for (const auto& [key, member] : value.items())
            flatten(member, field.empty() ? key : field + "." + key, depth + 1, out);
    } else if (value.is_array() && !scalarArray(value)) {
        for (std::size_t i = 0; i < value.size(); ++i) {
            std::string id = std::to_string(i);
            for (const std::string_view key : {"name", "key", "mountPath", "topologyKey"})
                if (const std::string named = read::text(value[i], key); !named.empty()) {
                    id = named;
                    break;
                }
            flatten(value[i], field + "[" + id + "]", depth + 1, out);
        }
    } else if (!value.is_null()) {
        out[field] = scalarText(value);
    }
}

std::string pointerToken(std::string_view key) {
    std::string out;
    for (const char c : key) {
        if (c == '~')
            out += "~0";
        else if (c == '/')
            out += "~1";
        else
            out += c;
    }
    return out;
}

class Printer {
public:
    Printer(const std::string& uid, const std::string& resourceVersion)
        : uid_(uid), resourceVersion_(resourceVersion) {}

    void print(const json& value, const std::string& pointer, std::size_t indent, const std::string& before,
               bool comma) {
        const std::string tail = comma ? "," : "";
        if (!value.is_structured() || value.empty() || scalarArray(value) || indent > 64) {
            line(pointer, indent, before + value.dump(-1, ' ', false, json::error_handler_t::replace) + tail);
            return;
        }
        const bool object = value.is_object();
        line(pointer, indent, before + (object ? "{" : "["));
        std::size_t left = value.size();
        if (object)
            for (const auto& [key, member] : value.items())
                print(member, pointer + "/" + pointerToken(key), indent + 2,
                      json(key).dump(-1, ' ', false, json::error_handler_t::replace) + ": ", --left > 0);
        else
            for (std::size_t i = 0; i < value.size(); ++i)
                print(value[i], pointer + "/" + std::to_string(i), indent + 2, "", --left > 0);
        line(pointer, indent, (object ? "}" : "]") + tail);
    }

    std::vector<guard::EvidenceLine> lines;

private:
    void line(const std::string& pointer, std::size_t indent, const std::string& text) {
        lines.push_back({std::string(indent, ' ') + text, guard::anchor::Field{uid_, pointer, resourceVersion_}});
    }
    const std::string& uid_;
    const std::string& resourceVersion_;
};

} // namespace

guard::ObjectRef refOf(const guard::KindId& kind, const json& object) {
    return {{kind, kind.namespaced ? read::text(object, {"metadata", "namespace"}) : std::string(),
             read::text(object, {"metadata", "name"})},
            read::text(object, {"metadata", "uid"})};
}

guard::ObjectRef controllerOf(const json& object) {
    guard::ObjectRef out;
    bool found = false;
    const std::string ns = read::text(object, {"metadata", "namespace"});
    read::each(read::path(object, {"metadata", "ownerReferences"}), [&](const json& owner, std::size_t) {
        const bool controls = read::flag(owner, "controller");
        if (found && !controls)
            return;
        const guard::KindId kind =
            cluster::kindFromReference(read::text(owner, "apiVersion"), read::text(owner, "kind"));
        out = {{kind, kind.namespaced ? ns : std::string(), read::text(owner, "name")}, read::text(owner, "uid")};
        found = true;
    });
    return out;
}

bool annotatedProtected(const json& object) {
    const json* annotations = read::path(object, {"metadata", "annotations"});
    return annotations != nullptr && read::text(*annotations, guard::protectedAnnotation) == "true";
}

std::vector<guard::EvidenceLine> objectLines(const json& redacted, const std::string& uid,
                                             const std::string& resourceVersion, const std::string& base) {
    Printer printer(uid, resourceVersion);
    printer.print(redacted, base, 0, "", false);
    return std::move(printer.lines);
}

std::vector<guard::ContainerSignal> containersOf(const json& pod) {
    std::vector<guard::ContainerSignal> out;
    containerList(pod, "initContainers", "initContainerStatuses", true, out);
    containerList(pod, "containers", "containerStatuses", false, out);
    return out;
}

bool podReady(const json& pod) {
    bool ready = false;
    read::each(read::path(pod, {"status", "conditions"}), [&](const json& condition, std::size_t) {
        if (read::text(condition, "type") == "Ready")
            ready = read::text(condition, "status") == "True";
    });
    return ready;
}

std::string podStatus(const json& pod) {
    if (read::path(pod, {"metadata", "deletionTimestamp"}) != nullptr)
        return "Terminating";
    std::string status = read::text(pod, {"status", "reason"});
    if (status.empty())
        status = read::text(pod, {"status", "phase"});
    for (const guard::ContainerSignal& container : containersOf(pod)) {
        const bool done =
            container.init && (container.ready || (container.state == "terminated" && container.exitCode == 0));
        if (done || container.state == "running" || container.reason.empty())
            continue;
        if (container.init)
            return "Init:" + container.reason;
        status = container.reason;
    }
    return status;
}

std::string unschedulableMessage(const json& pod) {
    std::string out;
    read::each(read::path(pod, {"status", "conditions"}), [&](const json& condition, std::size_t) {
        if (read::text(condition, "type") == "PodScheduled" && read::text(condition, "status") == "False" &&
            read::text(condition, "reason") == "Unschedulable")
            out = read::text(condition, "message");
    });
    return out;
}

std::string containerId(const json& pod, const std::string& container, bool previous) {
    std::string out;
    for (const std::string_view list : {"initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"})
        read::each(read::path(pod, {"status", list}), [&](const json& status, std::size_t) {
            if (read::text(status, "name") == container)
                out = previous ? read::text(status, {"lastState", "terminated", "containerID"})
                               : read::text(status, "containerID");
        });
    return out;
}

guard::WorkloadSignal workloadNumbers(const guard::KindId& kind, const json& object, guard::EvidenceRef evidence) {
    guard::WorkloadSignal out{.ref = refOf(kind, object), .stuckReason = {}, .evidence = evidence};
    const json none = json::object();
    const json& spec = read::member(object, "spec") == nullptr ? none : *read::member(object, "spec");
    const json& status = read::member(object, "status") == nullptr ? none : *read::member(object, "status");
    if (kind == guard::kinds::daemonSets()) {
        out.desired = read::number(status, "desiredNumberScheduled");
        out.ready = read::number(status, "numberReady");
        out.updated = read::number(status, "updatedNumberScheduled");
        out.available = read::number(status, "numberAvailable");
    } else {
        out.desired = read::number(spec, "replicas", 1);
        out.ready = read::number(status, "readyReplicas");
        out.updated = read::number(status, "updatedReplicas");
        out.available = read::number(status, "availableReplicas");
        // A StatefulSet that is not rolling counts none as updated on some versions.
        const std::string current = read::text(status, "currentRevision");
        if (kind == guard::kinds::statefulSets() && !current.empty() && current == read::text(status, "updateRevision"))
            out.updated = read::number(status, "replicas");
    }
    out.paused = read::flag(spec, "paused");
    const auto generation = read::integer(read::path(object, {"metadata", "generation"}));
    const auto observed = read::integer(status, "observedGeneration");
    out.generationObserved = generation && observed && *observed >= *generation;
    read::each(status, "conditions", [&](const json& condition, std::size_t) {
        if (read::text(condition, "type") == "Progressing" && read::text(condition, "status") == "False")
            out.stuckReason = read::text(condition, "reason");
    });
    return out;
}

std::vector<guard::TemplateChange> templateChanges(const json& from, const json& to) {
    std::map<std::string, std::string> before;
    std::map<std::string, std::string> after;
    flatten(from, "", 0, before);
    flatten(to, "", 0, after);
    std::vector<guard::TemplateChange> out;
    for (const auto& [field, value] : before) {
        const auto it = after.find(field);
        if (it == after.end())
            out.push_back({field, value, ""});
        else if (it->second != value)
            out.push_back({field, value, it->second});
    }
    for (const auto& [field, value] : after)
        if (!before.contains(field))
            out.push_back({field, "", value});
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.field < b.field; });
    return out;
}

LogLines splitStamps(std::string_view raw) {
    LogLines out;
    while (!raw.empty()) {
        const std::size_t end = raw.find('\n');
        std::string_view line = raw.substr(0, end);
        raw = end == std::string_view::npos ? std::string_view() : raw.substr(end + 1);
        const std::size_t space = line.find(' ');
        const std::string_view head = line.substr(0, space);
        std::string stamp;
        if (head.size() >= 20 && guard::parseRfc3339(head)) {
            stamp = head;
            line = space == std::string_view::npos ? std::string_view() : line.substr(space + 1);
        }
        if (!out.stamps.empty())
            out.text += '\n';
        out.text += line;
        out.stamps.push_back(std::move(stamp));
    }
    return out;
}

} // namespace alidade::agent
