// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the program keeps things, and what a person has set. Read once at start.
#include <map>
#include <string>

#include "alidade/guard/result.hpp"
#include "alidade/guard/settings.hpp"

namespace alidade::wiring {

using Environment = std::map<std::string, std::string>;
[[nodiscard]] Environment processEnvironment();

/// XDG base directories, each ending in "/alidade". Nothing is created here.
struct Paths {
    std::string config; ///< settings: config.yaml
    std::string state;  ///< ledger.jsonl
    std::string data;   ///< exports, screenshots
    [[nodiscard]] static Paths of(const Environment& environment);
    [[nodiscard]] std::string settingsFile() const { return config + "/config.yaml"; }
    [[nodiscard]] std::string ledgerFile() const { return state + "/ledger.jsonl"; }
};

enum class Theme { System, Light, Dark, HighContrast };

struct Settings {
    guard::ProtectedLists protectedLists;
    bool readOnly = false;
    Theme theme = Theme::System;
    std::string language; ///< "de"; empty: the system's
    bool reducedMotion = false;
};

/// A missing file gives the defaults. An unknown key, a wrong type, or a credential written into the file (anything
/// that looks like a key, token or password) is an error that names file and key.
[[nodiscard]] guard::Result<Settings> loadSettings(const std::string& file);
[[nodiscard]] guard::Result<Settings> parseSettings(const std::string& text, const std::string& file);

} // namespace alidade::wiring
