// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a kubeconfig: an error or entries, each context usable or with a reason that names its file.
#include "access/identity.hpp"
#include "alidade/cluster/open.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace alidade::cluster;
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto config = Kubeconfig::parse(text, "config", "/nowhere");
    if (!config) {
        if (config.error().where.find("config") == std::string::npos || config.error().detail.empty()) {
            std::abort();
        }
        return 0;
    }
    for (const ContextEntry& entry : config->contexts()) {
        if (entry.problem && (entry.problem->where.empty() || entry.problem->detail.empty())) {
            std::abort();
        }
        const auto identity = resolveIdentity(*config, entry.name, "", {});
        if (identity && entry.problem) {
            std::abort();
        }
    }
    return 0;
}
