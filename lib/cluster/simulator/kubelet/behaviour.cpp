// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubelet/behaviour.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace alidade::simulator {

namespace {

std::vector<std::string> strings(const Json& list) {
    std::vector<std::string> out;
    for (const auto& element : items(list))
        out.push_back(str(element));
    return out;
}

Millis seconds(const Json& value) {
    return Millis(static_cast<std::int64_t>((value.is_number() ? value.get<double>() : 0.0) * 1000));
}

std::string trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
        text.remove_suffix(1);
    return std::string(text);
}

/// Commands of a script, quotes respected, in order.
std::vector<std::string> commands(std::string_view script) {
    std::vector<std::string> out;
    std::string current;
    char quote = 0;
    for (std::size_t i = 0; i < script.size(); ++i) {
        const char c = script[i];
        if (quote != 0) {
            if (c == quote)
                quote = 0;
            else
                current += c;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == ';' || c == '\n' || (c == '&' && i + 1 < script.size() && script[i + 1] == '&')) {
            if (c == '&')
                ++i;
            out.push_back(trimmed(current));
            current.clear();
        } else {
            current += c;
        }
    }
    out.push_back(trimmed(current));
    out.erase(std::remove(out.begin(), out.end(), std::string()), out.end());
    return out;
}

} // namespace

Behaviour behaviourFromJson(const Json& json) {
    Behaviour b;
    Millis when{0};
    for (const auto& line : strings(at(json, "lines"))) {
        b.opening.push_back({when, line});
        when += Millis(20);
    }
    b.steady = strings(at(json, "steady"));
    if (at(json, "everyMillis").is_number())
        b.every = Millis(std::max<std::int64_t>(10, integer(at(json, "everyMillis"))));
    b.closing = strings(at(json, "closing"));
    if (at(json, "runsForSeconds").is_number())
        b.runsFor = seconds(at(json, "runsForSeconds"));
    b.exitCode = static_cast<int>(integer(at(json, "exitCode")));
    b.endReason = str(at(json, "reason"));
    b.startError = str(at(json, "startError"));
    b.readinessFailure = str(at(json, "readinessFailure"));
    b.livenessFailure = str(at(json, "livenessFailure"));
    b.livenessFailsFrom = seconds(at(json, "livenessFailsFromSeconds"));
    if (at(json, "readyAfterSeconds").is_number())
        b.readyAfter = seconds(at(json, "readyAfterSeconds"));
    return b;
}

Behaviour behaviourFromShell(std::string_view script) {
    Behaviour b;
    Millis now{5};
    bool looping = false;
    Millis loop{0};
    for (auto command : commands(script)) {
        if (command.starts_with("while ")) {
            looping = true;
            continue;
        }
        if (looping && command.starts_with("do "))
            command = trimmed(std::string_view(command).substr(3));
        if (looping && command == "done") {
            b.every = std::max(loop, Millis(100));
            return b;
        }
        const auto space = command.find(' ');
        const auto word = command.substr(0, space);
        const auto rest =
            space == std::string::npos ? std::string() : trimmed(std::string_view(command).substr(space + 1));
        if (word == "echo" || word == "date") {
            const auto text = word == "date" ? std::string("{n}") : rest;
            if (looping)
                b.steady.push_back(text);
            else
                b.opening.push_back({now, text});
        } else if (word == "sleep") {
            const Millis pause = rest == "infinity"
                                     ? Millis(0)
                                     : Millis(static_cast<std::int64_t>(std::strtod(rest.c_str(), nullptr) * 1000));
            if (rest == "infinity")
                return b;
            (looping ? loop : now) += pause;
        } else if (word == "exit" || word == "false" || word == "true") {
            if (word == "true" && !looping)
                continue;
            b.runsFor = now;
            b.exitCode = word == "false" ? 1 : std::atoi(rest.c_str());
            return b;
        } else if (word == "exec") {
            return b;
        } else if (word != ":" && word != "set" && word != "trap") {
            b.opening.push_back({now, "sh: " + word + ": not found"});
            b.runsFor = now;
            b.exitCode = 127;
            return b;
        }
    }
    b.runsFor = now;
    return b;
}

ImageBook::ImageBook() {
    shell_.behaviour = [](const Json& container, const Json&) {
        auto argv = strings(at(container, "command"));
        for (const auto& arg : strings(at(container, "args")))
            argv.push_back(arg);
        if (argv.empty())
            return behaviourFromShell(""); // sh with no terminal ends at once
        const auto name = argv[0].substr(argv[0].rfind('/') == std::string::npos ? 0 : argv[0].rfind('/') + 1);
        if (name == "sh" && argv.size() >= 3 && argv[1].ends_with("c"))
            return behaviourFromShell(argv[2]);
        std::string line;
        for (const auto& arg : argv)
            line += (line.empty() ? "" : " ") + arg;
        static const std::vector<std::string> applets{"echo", "sleep", "true", "false", "date",
                                                      "sh",   "cat",   "tail", "top",   "httpd"};
        if (std::find(applets.begin(), applets.end(), name) == applets.end()) {
            Behaviour b;
            b.startError = "failed to create containerd task: failed to create shim task: OCI runtime create failed: "
                           "runc create failed: "
                           "unable to start container process: exec: \"" +
                           argv[0] + "\": executable file not found in $PATH: unknown";
            b.exitCode = 128;
            return b;
        }
        if (name == "tail" || name == "top" || name == "httpd")
            return Behaviour{};
        return behaviourFromShell(line);
    };
    service_.behaviour = [](const Json&, const Json&) {
        Behaviour b;
        b.opening = {{Millis(20), "starting"}, {Millis(60), "ready to serve"}};
        return b;
    };
}

void ImageBook::add(std::string reference, Image image) { images_[std::move(reference)] = std::move(image); }

std::string ImageBook::canonical(const std::string& reference) {
    const auto slash = reference.find('/');
    const auto host = slash == std::string::npos ? std::string() : reference.substr(0, slash);
    const bool registry =
        host.find('.') != std::string::npos || host.find(':') != std::string::npos || host == "localhost";
    std::string out = registry                     ? reference
                      : slash == std::string::npos ? "docker.io/library/" + reference
                                                   : "docker.io/" + reference;
    const auto last = out.rfind('/');
    if (out.find(':', last) == std::string::npos && out.find('@') == std::string::npos)
        out += ":latest";
    return out;
}

const Image* ImageBook::find(const std::string& reference) const {
    if (refused_.count(reference) != 0)
        return nullptr;
    if (const auto it = images_.find(reference); it != images_.end())
        return &it->second;
    // The usual public images, in their usual tags.
    const auto name = canonical(reference);
    const auto from = name.find("docker.io/library/");
    if (from != 0 && !name.starts_with("registry.k8s.io/"))
        return nullptr;
    const auto colon = name.rfind(':');
    const auto repository = name.substr(name.rfind('/', colon) + 1, colon - name.rfind('/', colon) - 1);
    const auto tag = name.substr(colon + 1);
    const bool usual =
        tag == "latest" || tag == "stable" || tag == "alpine" ||
        (!tag.empty() && std::isdigit(static_cast<unsigned char>(tag[0])) != 0 &&
         tag.find("does-not-exist") == std::string::npos && tag.size() <= 16 && std::atoi(tag.c_str()) < 100);
    if (!usual)
        return nullptr;
    static const std::vector<std::string> shells{"busybox", "alpine", "debian", "ubuntu"};
    static const std::vector<std::string> services{"nginx",     "httpd",    "redis",   "postgres", "mysql",
                                                   "memcached", "rabbitmq", "traefik", "pause"};
    if (std::find(shells.begin(), shells.end(), repository) != shells.end())
        return &shell_;
    if (std::find(services.begin(), services.end(), repository) != services.end())
        return &service_;
    return nullptr;
}

std::string ImageBook::pullError(const std::string& reference) const {
    if (const auto it = refused_.find(reference); it != refused_.end())
        return it->second;
    const auto name = canonical(reference);
    const auto head =
        "failed to pull and unpack image \"" + name + "\": failed to resolve reference \"" + name + "\": ";
    const auto colon = name.rfind(':');
    const bool repositoryKnown = std::any_of(images_.begin(), images_.end(), [&](const auto& known) {
        return known.first.compare(0, colon + 1, name, 0, colon + 1) == 0;
    });
    if (repositoryKnown || !name.starts_with("docker.io/"))
        return "rpc error: code = NotFound desc = " + head + name + ": not found";
    return "rpc error: code = Unknown desc = " + head +
           "pull access denied, repository does not exist or may require authorization: server message: "
           "insufficient_scope: authorization failed";
}

Behaviour ImageBook::behaviour(const Json& container, const Json& pod) const {
    const auto scripted = str(at(pod, {"metadata", "annotations", "simulator.alidade.dev/behaviour"}));
    if (!scripted.empty())
        return behaviourFromJson(Json::parse(scripted, nullptr, false));
    const Image* image = find(str(at(container, "image")));
    if (image == nullptr || !image->behaviour)
        return {};
    const auto argv = strings(at(container, "command"));
    if (!argv.empty() && !image->programs.empty() &&
        std::find(image->programs.begin(), image->programs.end(), argv[0]) == image->programs.end()) {
        Behaviour b;
        const bool path = argv[0].find('/') != std::string::npos;
        b.startError = "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc "
                       "create failed: "
                       "unable to start container process: exec: \"" +
                       argv[0] + "\": " +
                       (path ? "stat " + argv[0] + ": no such file or directory"
                             : std::string("executable file not found in $PATH")) +
                       ": unknown";
        b.exitCode = 128;
        return b;
    }
    return image->behaviour(container, pod);
}

WallTime RunLog::openingEnd() const {
    return started + (behaviour.opening.empty() ? Millis(0) : behaviour.opening.back().at);
}

WallTime RunLog::steadyTime(std::int64_t index) const {
    const auto every = behaviour.every.count();
    const auto jitter = static_cast<std::int64_t>(hash64(std::to_string(index), seed) %
                                                  static_cast<std::uint64_t>(std::max<std::int64_t>(1, every / 2)));
    return openingEnd() + Millis((index + 1) * every - jitter) +
           std::chrono::microseconds(hash64("us" + std::to_string(index), seed) % 1000);
}

std::string RunLog::fill(const std::string& line, std::int64_t index) const {
    if (line.find('{') == std::string::npos)
        return line;
    const auto h = hash64("v" + std::to_string(index), seed);
    std::string out = line;
    const auto put = [&out](std::string_view mark, const std::string& value) {
        for (auto pos = out.find(mark); pos != std::string::npos; pos = out.find(mark, pos + value.size()))
            out.replace(pos, mark.size(), value);
    };
    put("{n}", std::to_string(index + 1));
    put("{ms}", std::to_string(4 + h % 46));
    put("{id}", std::to_string(100000 + (h >> 16U) % 900000));
    put("{pod}", pod);
    return out;
}

std::vector<RunLog::Line> RunLog::lines(std::optional<WallTime> after, WallTime upTo, std::size_t limit) const {
    if (ended)
        upTo = std::min(upTo, *ended);
    const auto wanted = [&](WallTime time) { return time <= upTo && (!after || time > *after); };
    std::vector<Line> out;
    for (const auto& line : behaviour.opening)
        if (wanted(started + line.at))
            out.push_back({started + line.at, fill(line.text, 0)});
    const auto opening = openingEnd();
    if (!behaviour.steady.empty() && upTo > opening) {
        const auto every = std::max<std::int64_t>(1, behaviour.every.count());
        const auto last = std::chrono::duration_cast<Millis>(upTo - opening).count() / every + 1;
        std::int64_t first = 0;
        if (after && *after > opening)
            first = std::max<std::int64_t>(0, std::chrono::duration_cast<Millis>(*after - opening).count() / every - 1);
        first = std::max(first, last - static_cast<std::int64_t>(limit) - 2);
        for (auto i = first; i <= last; ++i) {
            const auto time = steadyTime(i);
            if (wanted(time))
                out.push_back({time, fill(behaviour.steady[static_cast<std::size_t>(i) % behaviour.steady.size()], i)});
        }
    }
    if (closed && ended)
        for (std::size_t i = 0; i < behaviour.closing.size(); ++i)
            if (const auto time =
                    *ended - std::chrono::microseconds(static_cast<std::int64_t>(behaviour.closing.size() - i) * 700);
                wanted(time))
                out.push_back({time, fill(behaviour.closing[i], static_cast<std::int64_t>(i))});
    if (out.size() > limit)
        out.erase(out.begin(), out.end() - static_cast<std::ptrdiff_t>(limit));
    return out;
}

std::optional<WallTime> RunLog::nextAfter(WallTime time) const {
    if (ended)
        return std::nullopt;
    for (const auto& line : behaviour.opening)
        if (started + line.at > time)
            return started + line.at;
    if (behaviour.steady.empty())
        return std::nullopt;
    const auto opening = openingEnd();
    const auto every = std::max<std::int64_t>(1, behaviour.every.count());
    auto i = time > opening
                 ? std::max<std::int64_t>(0, std::chrono::duration_cast<Millis>(time - opening).count() / every - 1)
                 : 0;
    while (steadyTime(i) <= time)
        ++i;
    return steadyTime(i);
}

} // namespace alidade::simulator
