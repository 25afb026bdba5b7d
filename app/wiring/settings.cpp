// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/wiring/settings.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

#include <yaml-cpp/yaml.h>

extern char** environ;

namespace alidade::wiring {

namespace {

using guard::ErrorCode;
using guard::fail;
using guard::Result;

std::string value(const Environment& environment, const char* name) {
    const auto it = environment.find(name);
    return it == environment.end() ? std::string() : it->second;
}

bool looksLikeCredential(std::string key) {
    std::erase_if(key, [](char c) { return c == '_' || c == '-' || c == '.'; });
    std::transform(key.begin(), key.end(), key.begin(), [](unsigned char c) { return std::tolower(c); });
    static constexpr std::array words{"apikey", "token", "password", "passwd", "secret", "credential"};
    return std::any_of(words.begin(), words.end(), [&](const char* w) { return key.find(w) != std::string::npos; });
}

struct Reader {
    std::string file;

    tl::unexpected<guard::Error> wrong(const std::string& key, const std::string& what) const {
        return fail(ErrorCode::Config, file + ": " + key, what);
    }

    Result<void> readBool(const YAML::Node& node, const std::string& key, bool& out) const {
        if (!node.IsScalar() || !YAML::convert<bool>::decode(node, out))
            return wrong(key, "must be true or false");
        return {};
    }

    Result<void> readStrings(const YAML::Node& node, const std::string& key, std::vector<std::string>& out) const {
        if (!node.IsSequence())
            return wrong(key, "must be a list of texts");
        out.clear();
        for (const YAML::Node& item : node) {
            if (!item.IsScalar())
                return wrong(key, "must be a list of texts");
            out.push_back(item.Scalar());
        }
        return {};
    }

    /// Calls `entry(key, value)` for each pair; refuses anything that is no mapping, a key that stands twice, a
    /// credential.
    Result<void> readMap(const YAML::Node& node, const std::string& path,
                         const std::function<Result<void>(const std::string&, const YAML::Node&)>& entry) const {
        if (!node.IsMap())
            return wrong(path.empty() ? "settings" : path, "must be a mapping");
        std::vector<std::string> seen;
        for (const auto& pair : node) {
            if (!pair.first.IsScalar())
                return wrong(path, "a key must be a text");
            const std::string key = pair.first.Scalar();
            const std::string full = path.empty() ? key : path + "." + key;
            if (std::find(seen.begin(), seen.end(), key) != seen.end())
                return wrong(full, "stands twice");
            seen.push_back(key);
            if (looksLikeCredential(key))
                return wrong(full,
                             "credentials do not belong in this file; remove the line and use the system's keyring");
            if (auto done = entry(key, pair.second); !done)
                return done;
        }
        return {};
    }

    Result<void> readResources(const YAML::Node& node, std::vector<guard::ProtectedResource>& out) const {
        const std::string key = "protected.resources";
        if (!node.IsSequence())
            return wrong(key, "must be a list of {namespace, kind, name}");
        for (const YAML::Node& item : node) {
            guard::ProtectedResource resource{"*", "*", "*"};
            auto done = readMap(item, key, [&](const std::string& field, const YAML::Node& text) -> Result<void> {
                if (!text.IsScalar())
                    return wrong(key + "." + field, "must be a text");
                if (field == "namespace")
                    resource.ns = text.Scalar();
                else if (field == "kind")
                    resource.kind = text.Scalar();
                else if (field == "name")
                    resource.name = text.Scalar();
                else
                    return wrong(key + "." + field, "unknown; known are namespace, kind, name");
                return {};
            });
            if (!done)
                return done;
            out.push_back(std::move(resource));
        }
        return {};
    }
};

} // namespace

Environment processEnvironment() {
    Environment result;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const auto split = text.find('=');
        if (split != std::string_view::npos)
            result.emplace(text.substr(0, split), text.substr(split + 1));
    }
    return result;
}

Paths Paths::of(const Environment& environment) {
    const std::string home = value(environment, "HOME");
    const auto base = [&](const char* variable, const char* fallback) {
        std::string dir = value(environment, variable);
        if (dir.empty() || dir.front() != '/')
            dir = home + fallback;
        return dir + "/alidade";
    };
    return {base("XDG_CONFIG_HOME", "/.config"), base("XDG_STATE_HOME", "/.local/state"),
            base("XDG_DATA_HOME", "/.local/share")};
}

Result<Settings> loadSettings(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in)
        return Settings{};
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (in.bad())
        return fail(ErrorCode::Io, file, "cannot be read");
    return parseSettings(text, file);
}

Result<Settings> parseSettings(const std::string& text, const std::string& file) {
    const Reader reader{file};
    Settings settings;
    try {
        const YAML::Node root = YAML::Load(text);
        if (!root || root.IsNull())
            return settings;
        auto done = reader.readMap(root, "", [&](const std::string& key, const YAML::Node& node) -> Result<void> {
            if (key == "readOnly")
                return reader.readBool(node, key, settings.readOnly);
            if (key == "reducedMotion")
                return reader.readBool(node, key, settings.reducedMotion);
            if (key == "language") {
                if (!node.IsScalar())
                    return reader.wrong(key, "must be a language code such as de");
                settings.language = node.Scalar();
                return {};
            }
            if (key == "theme") {
                const std::string name = node.IsScalar() ? node.Scalar() : std::string();
                if (name == "system")
                    settings.theme = Theme::System;
                else if (name == "light")
                    settings.theme = Theme::Light;
                else if (name == "dark")
                    settings.theme = Theme::Dark;
                else if (name == "high-contrast")
                    settings.theme = Theme::HighContrast;
                else
                    return reader.wrong(key, "must be system, light, dark or high-contrast");
                return {};
            }
            if (key == "protected")
                return reader.readMap(node, key, [&](const std::string& part, const YAML::Node& list) -> Result<void> {
                    guard::ProtectedLists& lists = settings.protectedLists;
                    if (part == "contexts")
                        return reader.readStrings(list, "protected.contexts", lists.contexts);
                    if (part == "namespaces")
                        return reader.readStrings(list, "protected.namespaces", lists.namespaces);
                    if (part == "strict")
                        return reader.readBool(list, "protected.strict", lists.strict);
                    if (part == "resources")
                        return reader.readResources(list, lists.resources);
                    return reader.wrong("protected." + part,
                                        "unknown; known are contexts, namespaces, resources, strict");
                });
            return reader.wrong(key, "unknown; known are protected, readOnly, theme, language, reducedMotion");
        });
        if (!done)
            return tl::unexpected(done.error());
    } catch (const YAML::Exception& e) {
        return fail(ErrorCode::Config, file,
                    "not valid YAML at line " + std::to_string(e.mark.line + 1) + ": " + e.msg);
    }
    return settings;
}

} // namespace alidade::wiring
