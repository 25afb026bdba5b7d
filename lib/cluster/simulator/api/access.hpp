// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Who asks, and what they may do: bearer tokens, scripted rules, and the self-review APIs' answers.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alidade/simulator/simulator.hpp"
#include "world/refusal.hpp"
#include "world/world.hpp"

namespace alidade::simulator {

struct Attributes {
    std::string verb, group, resource, subresource, ns, name;
    std::string path; ///< of a non-resource request
    [[nodiscard]] bool isResource() const { return path.empty(); }
};

class Access {
public:
    explicit Access(std::vector<User> users);
    [[nodiscard]] const std::map<std::string, std::string>& tokens() const noexcept {
        return tokens_;
    } ///< user -> token
    /// The user of an Authorization header; nullopt: 401.
    [[nodiscard]] std::optional<std::string> authenticate(std::string_view authorization) const;
    [[nodiscard]] bool allowed(const std::string& user, const Attributes& attributes) const;
    [[nodiscard]] Refusal refusal(const std::string& user, const Attributes& attributes) const;
    [[nodiscard]] Json rules(const std::string& user, const std::string& ns) const; ///< SelfSubjectRulesReview.status
    [[nodiscard]] bool known(const std::string& user) const;

private:
    std::vector<User> users_;
    std::map<std::string, std::string> tokens_;
};

} // namespace alidade::simulator
