// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a container does once it runs: its log lines over time, how long it lives, how it ends, what its probes say.
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "world/json.hpp"

namespace alidade::simulator {

struct Behaviour {
    struct Line {
        Millis at{0}; ///< since the start of the container
        std::string text;
    };
    std::vector<Line> opening;
    std::vector<std::string>
        steady; ///< one every `every` after the opening, in turn; {n}, {ms}, {id}, {pod} are filled in
    Millis every{2000};
    std::vector<std::string> closing; ///< its last words, just before it ends by itself
    std::optional<Millis> runsFor;    ///< empty: for ever
    int exitCode = 0;
    std::string endReason;        ///< "OOMKilled"; empty: "Completed" or "Error" by the exit code
    std::string startError;       ///< the runtime's message when the process cannot be started
    std::string readinessFailure; ///< what the readiness probe answers; empty: it succeeds
    std::string livenessFailure;
    Millis livenessFailsFrom{0};
    Millis readyAfter{400};
    Millis stopsIn{400}; ///< after SIGTERM
};

/// A behaviour from {"lines":[..],"steady":[..],"everyMillis":n,"runsForSeconds":n,"exitCode":n,"reason":"..",
/// "startError":"..","readinessFailure":"..","livenessFailure":"..","readyAfterSeconds":n}: the annotation
/// simulator.alidade.dev/behaviour of a pod.
[[nodiscard]] Behaviour behaviourFromJson(const Json& json);
/// A small subset of sh: echo, sleep, exit, true, false, date, and `while true; do ...; done`, joined by ; && or
/// newline.
[[nodiscard]] Behaviour behaviourFromShell(std::string_view script);

struct Image {
    std::function<Behaviour(const Json& container, const Json& pod)> behaviour;
    std::vector<std::string> programs; ///< what command[0] may be; empty: anything
    Millis pullTime{900};
    std::int64_t sizeBytes = 28'311'552;
};

/// The registries this cluster can reach.
class ImageBook {
public:
    ImageBook();
    void add(std::string reference, Image image);
    /// Every later pull of this reference fails with these words.
    void refuse(std::string reference, std::string error) { refused_[std::move(reference)] = std::move(error); }
    [[nodiscard]] const Image* find(const std::string& reference) const;
    [[nodiscard]] std::string pullError(const std::string& reference) const;
    [[nodiscard]] static std::string canonical(const std::string& reference);
    [[nodiscard]] Behaviour behaviour(const Json& container, const Json& pod) const;

private:
    std::map<std::string, Image> images_;
    std::map<std::string, std::string> refused_;
    Image shell_;
    Image service_;
};

/// One run of one container. Lines are computed when somebody reads, so an idle cluster costs nothing.
struct RunLog {
    WallTime started;
    std::optional<WallTime> ended;
    Behaviour behaviour;
    std::uint64_t seed = 0;
    std::string pod;
    bool closed = false; ///< ended by itself: the closing lines were written

    struct Line {
        WallTime time;
        std::string text;
    };
    /// Lines in (after, upTo], oldest first; at most the last `limit` of them.
    [[nodiscard]] std::vector<Line> lines(std::optional<WallTime> after, WallTime upTo, std::size_t limit) const;
    /// When the next line after `time` will be written; nullopt when there is none to wait for.
    [[nodiscard]] std::optional<WallTime> nextAfter(WallTime time) const;

private:
    [[nodiscard]] WallTime steadyTime(std::int64_t index) const;
    [[nodiscard]] std::string fill(const std::string& line, std::int64_t index) const;
    [[nodiscard]] WallTime openingEnd() const;
};

} // namespace alidade::simulator
