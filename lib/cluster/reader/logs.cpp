// SPDX-License-Identifier: GPL-3.0-or-later
#include "reader/json_fields.hpp"
#include "reader/paths.hpp"
#include "reader/reads.hpp"

#include "alidade/guard/text.hpp"

#include <algorithm>

namespace alidade::cluster {
namespace {

using guard::Error;
using guard::ErrorCode;
using nlohmann::json;

constexpr std::size_t kMaxRead = 64UL * 1024 * 1024; ///< what is read to find the end of a log that has no tail limit

/// Keeps the newest bytes: the end of a log is what is asked for.
class Tail {
public:
    explicit Tail(std::size_t most) : most_(std::max<std::size_t>(most, 1)) {}
    void take(std::string_view bytes) {
        read_ += bytes.size();
        text_.append(bytes);
        if (text_.size() > 2 * most_) {
            text_.erase(0, text_.size() - most_);
        }
    }
    [[nodiscard]] std::size_t read() const noexcept { return read_; }
    /// From the start of a line.
    [[nodiscard]] guard::LogText finish() {
        if (text_.size() > most_) {
            text_.erase(0, text_.size() - most_);
        }
        if (text_.size() < read_) {
            const std::size_t line = text_.find('\n');
            text_.erase(0, line == std::string::npos ? 0 : line + 1);
        }
        guard::LogText log;
        log.omittedBytes = read_ - text_.size();
        log.text = std::move(text_);
        return log;
    }

private:
    std::size_t most_;
    std::size_t read_ = 0;
    std::string text_;
};

std::string defaultContainer(const json& pod) {
    const std::string annotated =
        textOf(at(pod, {"metadata", "annotations"}), "kubectl.kubernetes.io/default-container");
    const json& containers = elements(child(pod, "spec"), "containers");
    for (const json& container : containers) {
        if (textOf(container, "name") == annotated) {
            return annotated;
        }
    }
    return containers.empty() ? std::string() : textOf(containers.front(), "name");
}

const json& containerStatus(const json& pod, const std::string& container) {
    static const json kNone;
    for (const char* list : {"containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"}) {
        for (const json& status : elements(child(pod, "status"), list)) {
            if (textOf(status, "name") == container) {
                return status;
            }
        }
    }
    return kNone;
}

bool hasContainer(const json& pod, const std::string& container) {
    for (const char* list : {"containers", "initContainers", "ephemeralContainers"}) {
        for (const json& one : elements(child(pod, "spec"), list)) {
            if (textOf(one, "name") == container) {
                return true;
            }
        }
    }
    return false;
}

std::string containerNames(const json& pod) {
    std::string names;
    for (const char* list : {"initContainers", "containers", "ephemeralContainers"}) {
        for (const json& one : elements(child(pod, "spec"), list)) {
            names += (names.empty() ? "" : ", ") + textOf(one, "name");
        }
    }
    return names;
}

/// Why there is no log, from the container's state: the server's 400 does not say it in a form that can be relied on.
Error explained(const json& pod, const LogOptions& options, Error error) {
    const json& status = containerStatus(pod, options.container);
    if (error.code == ErrorCode::BadRequest) {
        if (!hasContainer(pod, options.container)) {
            error.code = ErrorCode::NotFound;
            error.detail = "there is no container \"" + options.container + "\"; the pod has " + containerNames(pod);
            return error;
        }
        const json& waiting = at(status, {"state", "waiting"});
        if (options.previous && integerOf(status, "restartCount").value_or(0) == 0 &&
            child(status, "lastState").empty()) {
            error.code = ErrorCode::NotFound;
            error.detail = "no earlier run";
        } else if (waiting.is_object()) {
            const std::string reason = textOf(waiting, "reason");
            error.code = ErrorCode::Unavailable;
            error.detail = reason.empty() ? "not started yet" : "not started yet: " + reason;
        } else if (status.is_null()) {
            const std::string node = textOf(child(pod, "spec"), "nodeName");
            error.code = ErrorCode::Unavailable;
            error.detail = node.empty() ? "not started yet: the pod has no node" : "not started yet";
        } else if (options.previous) {
            error.code = ErrorCode::NotFound;
            error.detail = "the log of the earlier run is gone";
        }
    } else if (error.code == ErrorCode::ServerError || error.code == ErrorCode::Unavailable) {
        const std::string node = textOf(child(pod, "spec"), "nodeName");
        error.code = ErrorCode::Unavailable;
        error.detail = "the kubelet of node " + (node.empty() ? std::string("(none)") : node) +
                       " did not give the log: " + error.detail;
    }
    return error;
}

void readNamed(const CorePtr& core, const ObjectKey& pod, const LogOptions& options,
               const Done<guard::Raw<guard::LogText>>& done) {
    auto path = objectPath(pod, Subresource::Log);
    if (!path) {
        done(tl::unexpected(path.error()));
        return;
    }
    const std::string target =
        *path +
        queryText({{"container", options.container},
                   {"previous", options.previous ? "true" : ""},
                   {"timestamps", options.timestamps ? "true" : ""},
                   {"tailLines", options.tailLines ? std::to_string(std::max(*options.tailLines, 0)) : ""},
                   {"sinceSeconds", options.sinceSeconds ? std::to_string(std::max(*options.sinceSeconds, 1)) : ""},
                   {"limitBytes", std::to_string(std::max(kMaxRead, options.maxBytes))}});
    const auto tail = std::make_shared<Tail>(options.maxBytes);
    core->stream(
        target, [tail](std::string_view bytes) { tail->take(bytes); },
        [core, pod, options, tail, done](Result<void> ended) {
            if (ended) {
                done(guard::Raw<guard::LogText>(tail->finish()));
                return;
            }
            Error error = std::move(ended).error();
            error.where = "logs of " + pod.text() + "/" + options.container + (options.previous ? " (previous)" : "");
            if (error.code != ErrorCode::BadRequest && error.code != ErrorCode::ServerError &&
                error.code != ErrorCode::Unavailable) {
                done(tl::unexpected(std::move(error)));
                return;
            }
            core->getObject(pod, [options, done, error = std::move(error)](const Result<json>& object) {
                done(tl::unexpected(object ? explained(*object, options, error) : error));
            });
        });
}

} // namespace

void readLogs(const CorePtr& core, const ObjectKey& pod, const LogOptions& options,
              Done<guard::Raw<guard::LogText>> done) {
    if (!(pod.kind == guard::kinds::pods())) {
        done(guard::fail(ErrorCode::Unsupported, pod.text(), "only pods have logs"));
        return;
    }
    if (!options.container.empty()) {
        readNamed(core, pod, options, done);
        return;
    }
    core->getObject(pod, [core, pod, options, done = std::move(done)](const Result<json>& object) {
        if (!object) {
            done(tl::unexpected(object.error()));
            return;
        }
        LogOptions named = options;
        named.container = defaultContainer(*object);
        readNamed(core, pod, named, done);
    });
}

} // namespace alidade::cluster
