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

/// Why there is no log, by the container's state; nothing when it did run. The server's words are no ground to stand
/// on: a container that has not started is a 400 on one server and an empty success on a pod without a node.
std::optional<Error> neverRan(const json& pod, const LogOptions& options, const std::string& where) {
    if (!hasContainer(pod, options.container)) {
        return Error(ErrorCode::NotFound, where,
                     "there is no container \"" + options.container + "\"; the pod has " + containerNames(pod));
    }
    const json& status = containerStatus(pod, options.container);
    const bool ranBefore = integerOf(status, "restartCount").value_or(0) > 0 || !child(status, "lastState").empty();
    if (options.previous) {
        return ranBefore ? std::nullopt : std::optional(Error(ErrorCode::NotFound, where, "no earlier run"));
    }
    const json& waiting = at(status, {"state", "waiting"});
    if (!status.is_null() && (!waiting.is_object() || ranBefore)) {
        return std::nullopt;
    }
    std::string why = textOf(waiting, "reason");
    if (why.empty() && textOf(child(pod, "spec"), "nodeName").empty()) {
        why = "the pod has no node";
    }
    return Error(ErrorCode::Unavailable, where, why.empty() ? "not started yet" : "not started yet: " + why);
}

/// A kubelet whose log file is gone says so as a success: "unable to retrieve container logs for containerd://<id>",
/// alone, without a line end and without the time that was asked for.
bool isKubeletApology(const std::string& text) {
    constexpr std::string_view begin = "unable to retrieve container logs for ";
    return text.starts_with(begin) && text.size() < 512 && text.find("://") != std::string::npos &&
           text.find_first_of(" \n", begin.size()) == std::string::npos;
}

/// A refusal in the light of the pod.
Error explained(const json& pod, const LogOptions& options, Error error) {
    if (error.code == ErrorCode::BadRequest) {
        if (auto absent = neverRan(pod, options, error.where)) {
            return *absent;
        }
        const std::string reason = textOf(at(containerStatus(pod, options.container), {"state", "waiting"}), "reason");
        if (options.previous) {
            error.code = ErrorCode::NotFound;
            error.detail = "the log of that run is gone from its node";
        } else if (!reason.empty()) {
            error.code = ErrorCode::Unavailable;
            error.detail = "not started yet: " + reason;
        }
        return error;
    }
    const std::string node = textOf(child(pod, "spec"), "nodeName");
    error.code = ErrorCode::Unavailable;
    error.detail = "the kubelet of node " + (node.empty() ? std::string("(none)") : node) +
                   " did not give the log: " + error.detail;
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
            const std::string where =
                "logs of " + pod.text() + "/" + options.container + (options.previous ? " (previous)" : "");
            if (ended && tail->read() > 0) {
                guard::LogText log = tail->finish();
                if (log.omittedBytes == 0 && isKubeletApology(log.text)) {
                    done(guard::fail(ErrorCode::NotFound, where, "the log of that run is gone from its node"));
                } else {
                    done(guard::Raw<guard::LogText>(std::move(log)));
                }
                return;
            }
            if (ended) { // nothing said, or nothing that could have said it
                core->getObject(pod, [options, done, where](const Result<json>& object) {
                    if (auto absent = object ? neverRan(*object, options, where) : std::nullopt) {
                        done(tl::unexpected(std::move(*absent)));
                    } else {
                        done(guard::Raw<guard::LogText>(guard::LogText{}));
                    }
                });
                return;
            }
            Error error = std::move(ended).error();
            error.where = where;
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
