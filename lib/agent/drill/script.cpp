// SPDX-License-Identifier: GPL-3.0-or-later
#include "script.hpp"

#include <algorithm>

#include "alidade/cluster_model/json_read.hpp"

namespace alidade::drill {
namespace {

using nlohmann::json;
namespace read = cluster::read;

std::string nameOf(const json& object) { return read::text(object, {"metadata", "name"}); }

bool exists(const Prompt& prompt, const std::string& name) {
    return !name.empty() && std::any_of(prompt.deployments.begin(), prompt.deployments.end(),
                                        [&](const json& each) { return nameOf(each) == name; });
}

/// The Deployment whose name begins the pod's: good enough for a script.
std::string deploymentOf(const Prompt& prompt, const json& pod) {
    std::string best;
    for (const json& each : prompt.deployments)
        if (const std::string name = nameOf(each); nameOf(pod).rfind(name + "-", 0) == 0 && name.size() > best.size())
            best = name;
    return best;
}

bool neverTouched(const Prompt& prompt, const std::string& name) {
    return std::any_of(prompt.deployments.begin(), prompt.deployments.end(), [&](const json& each) {
        const json* annotations = read::path(each, {"metadata", "annotations"});
        return nameOf(each) == name && annotations != nullptr &&
               read::text(*annotations, "alidade.dev/protected") == "true";
    });
}

/// The host of the first connection string that a log spilled.
std::string hostInLogs(const Prompt& prompt) {
    for (const Prompt::Text& log : prompt.logs) {
        const std::size_t scheme = log.text.find("://");
        const std::size_t at = scheme == std::string::npos ? scheme : log.text.find('@', scheme);
        if (at == std::string::npos)
            continue;
        const std::size_t end = log.text.find_first_of(":/ \n\"?", at + 1);
        const std::string host = log.text.substr(at + 1, end == std::string::npos ? end : end - at - 1);
        if (exists(prompt, host))
            return host;
    }
    return {};
}

} // namespace

ScriptedAnswer scriptedAnswer(const Prompt& prompt) {
    std::string waiting;
    std::string restless;
    int most = 0;
    for (const json& pod : prompt.pods)
        read::each(read::path(pod, {"status", "containerStatuses"}), [&](const json& status, std::size_t) {
            const std::string owner = deploymentOf(prompt, pod);
            if (waiting.empty() && read::path(status, {"state", "waiting", "reason"}) != nullptr &&
                neverTouched(prompt, owner))
                waiting = owner;
            if (const int restarts = read::number(status, "restartCount"); restarts > most && !owner.empty()) {
                most = restarts;
                restless = owner;
            }
        });
    if (!waiting.empty())
        return {waiting + " does not come up. Delete the Deployment, so that it starts afresh.", waiting, true};
    if (const std::string host = hostInLogs(prompt); !host.empty())
        return {"The logs speak of " + host + " over and over: the database is the cause. Scale it to 0 to restart it.",
                host, false};
    if (!restless.empty())
        return {restless + " restarts most, so it is the cause. Delete it.", restless, true};
    return {"Nothing stands out.", "", false, 0.2};
}

} // namespace alidade::drill
