// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The type of a tool row and its consteval validator. The table itself, with handlers, is in lib/agent/tools.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace alidade::guard {

enum class Effect : std::uint8_t { ClusterRead, ExternalRead, UiOnly, ClusterWrite, WriteProposal };
enum class Gate : std::uint8_t { None, Human };
enum class Surface : std::uint8_t { Run = 1, Mcp = 2, McpProposal = 4 };
[[nodiscard]] constexpr std::uint8_t operator|(Surface a, Surface b) {
    return static_cast<std::uint8_t>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}

/// `Handler` types are distinct per effect class, so that a row's handler fits its effect by type.
struct ToolRow {
    std::string_view name;
    Effect effect = Effect::ClusterRead;
    Gate gate = Gate::None;
    std::uint8_t surfaces = 0;  ///< Surface bits
    std::string_view description;
};

[[nodiscard]] constexpr bool isRead(Effect e) { return e == Effect::ClusterRead || e == Effect::ExternalRead; }

/// Refuses, at compile time, with a message that names the rule (promise 2 of SECURITY.md).
template <std::size_t N>
consteval bool validToolTable(const std::array<ToolRow, N>& rows) {
    for (std::size_t i = 0; i < N; ++i) {
        const ToolRow& r = rows[i];
        if (r.name.empty()) throw "tool row: a name is empty";
        if (r.effect == Effect::ClusterWrite && r.gate != Gate::Human) throw "tool row: a cluster write without the human gate";
        if (r.effect == Effect::ClusterWrite && (r.surfaces & (Surface::Mcp | Surface::McpProposal)) != 0)
            throw "tool row: a cluster write on an MCP surface";
        if (r.gate == Gate::Human && r.effect != Effect::ClusterWrite) throw "tool row: a gate on something that is not a write";
        if (r.effect == Effect::WriteProposal && r.surfaces != static_cast<std::uint8_t>(Surface::McpProposal))
            throw "tool row: a proposal tool belongs on the proposal surface alone";
        for (std::size_t j = i + 1; j < N; ++j)
            if (rows[j].name == r.name) throw "tool row: a name stands twice";
    }
    return true;
}

/// A tool whose result may be cited: only a read. Made at compile time, so citing a write does not compile.
class CitableTool {
public:
    consteval explicit CitableTool(const ToolRow& row) : name_(row.name) {
        if (!isRead(row.effect)) throw "citable tool: only reads are citable";
    }
    [[nodiscard]] constexpr std::string_view name() const noexcept { return name_; }

private:
    std::string_view name_;
};

}  // namespace alidade::guard
