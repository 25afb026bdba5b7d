// SPDX-License-Identifier: GPL-3.0-or-later
// alidadectl describe and graph: what the libraries know of one object, for pipes and scripts.
#include <algorithm>
#include <iostream>
#include <thread>

#include <nlohmann/json.hpp>

#include "alidade/cluster_model/json_read.hpp"
#include "alidade/cluster_model/session.hpp"
#include "alidade/guard/text.hpp"
#include "options.hpp"
#include "terminal.hpp"

namespace alidade::headless {

namespace {

using cluster::BlockingReader;
using guard::ErrorCode;
using guard::ObjectKey;
using guard::Result;

constexpr int kSteps = 3; // from the object, in both directions

/// One line: nothing in it acts on the terminal, or looks like the next line.
std::string word(std::string_view text) { return guard::visibleText(text, false); }

/// KIND NAME or [NAMESPACE/]KIND/NAME, the kind by any name that kubectl takes.
Result<ObjectKey> target(const Options& options, const BlockingReader& reader, std::string ns, std::stop_token stop) {
    std::vector<std::string> parts;
    for (std::string rest : options.words) {
        for (std::size_t slash = 0; (slash = rest.find('/')) != std::string::npos; rest.erase(0, slash + 1)) {
            parts.push_back(rest.substr(0, slash));
        }
        parts.push_back(rest);
    }
    if (parts.size() < 2 || parts.size() > 3 || std::count(parts.begin(), parts.end(), "") != 0) {
        return guard::fail(ErrorCode::Config, options.verb, "needs KIND NAME or [NAMESPACE/]KIND/NAME");
    }
    if (parts.size() == 3) {
        ns = parts.front();
        parts.erase(parts.begin());
    }
    auto catalog = reader.catalog(stop);
    if (!catalog) {
        return tl::unexpected(catalog.error());
    }
    const cluster::ResourceKind* const kind = catalog->partial().find(parts[0]);
    if (kind == nullptr) {
        std::string missing;
        for (const guard::Gap& gap : catalog->gaps()) {
            missing += "; " + gap.source + " could not be asked: " + gap.reason;
        }
        return guard::fail(ErrorCode::NotFound, parts[0], "the server has no such kind" + missing);
    }
    return ObjectKey{kind->id, kind->id.namespaced ? ns : std::string(), parts[1]};
}

std::string title(const guard::ObjectRef& ref) {
    const ObjectKey& key = ref.key;
    return (key.ns.empty() ? std::string() : key.ns + "/") + key.kind.resource + "/" + key.name;
}

std::string state(const cluster::GraphNode& node) {
    if (node.forbidden || node.missing) {
        return node.forbidden ? "forbidden" : "missing";
    }
    return node.health == cluster::Health::Unknown ? "found" : std::string(cluster::name(node.health));
}

nlohmann::json asJson(const guard::Answer<cluster::Graph>& answer) {
    const cluster::Graph& graph = answer.partial();
    nlohmann::json out = {
        {"nodes", nlohmann::json::array()}, {"edges", nlohmann::json::array()}, {"gaps", nlohmann::json::array()}};
    for (const cluster::GraphNode& node : graph.nodes) {
        const ObjectKey& key = node.ref.key;
        out["nodes"].push_back({{"apiVersion", key.kind.apiVersion()},
                                {"resource", key.kind.resource},
                                {"namespace", key.ns},
                                {"name", key.name},
                                {"uid", node.ref.uid},
                                {"state", state(node)},
                                {"status", node.status},
                                {"protected", node.isProtected}});
    }
    for (const cluster::GraphEdge& edge : graph.edges) {
        out["edges"].push_back({{"from", edge.from},
                                {"to", edge.to},
                                {"relation", cluster::name(edge.relation)},
                                {"provenance", cluster::name(edge.provenance)},
                                {"resolution", cluster::name(edge.resolution)},
                                {"field", edge.field},
                                {"optional", edge.optional},
                                {"cycle", edge.cycle}});
    }
    for (const guard::Gap& gap : answer.gaps()) {
        out["gaps"].push_back(
            {{"source", gap.source}, {"coverage", guard::name(gap.coverage)}, {"reason", gap.reason}});
    }
    out["root"] = graph.root ? nlohmann::json(*graph.root) : nlohmann::json();
    return out;
}

/// Graphviz' language: in quotes only the quote and the backslash mean something.
std::string inDot(std::string_view text) {
    std::string out = "\"";
    for (const char c : word(text)) {
        out.append(c == '"' || c == '\\' ? "\\" : "").push_back(c);
    }
    return out + "\"";
}

std::string asDot(const cluster::Graph& graph) {
    std::string out = "digraph relations {\n  rankdir=LR;\n  node [shape=box];\n";
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const cluster::GraphNode& node = graph.nodes[i];
        out += "  n" + std::to_string(i) + " [label=" + inDot(title(node.ref)) +
               (node.missing || node.forbidden ? ", style=dashed" : "") + ", tooltip=" + inDot(state(node)) + "];\n";
    }
    for (const cluster::GraphEdge& edge : graph.edges) {
        out += "  n" + std::to_string(edge.from) + " -> n" + std::to_string(edge.to) +
               " [label=" + inDot(cluster::name(edge.relation)) +
               (edge.resolution == cluster::Resolution::Resolved ? "" : ", style=dashed") + "];\n";
    }
    return out + "}\n";
}

std::string asTable(const cluster::Graph& graph) {
    std::vector<std::vector<std::string>> rows{{"FROM", "RELATION", "TO", "STATE", "FIELD"}};
    for (const cluster::GraphEdge& edge : graph.edges) {
        const cluster::GraphNode& to = graph.nodes[edge.to];
        const bool open = edge.resolution != cluster::Resolution::Resolved && !to.missing && !to.forbidden;
        rows.push_back({word(title(graph.nodes[edge.from].ref)), std::string(cluster::name(edge.relation)),
                        word(title(to.ref)), open ? std::string(cluster::name(edge.resolution)) : state(to),
                        word(edge.field)});
    }
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    std::string out;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i] + std::string(widths[i] - row[i].size() + 3, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

/// What to print on standard output; what is not known goes to standard error.
using Ask = Result<std::string> (*)(const Options&, const BlockingReader&, const std::string& ns, std::stop_token stop);

Result<std::string> describeText(const Options& options, const BlockingReader& reader, const std::string& ns,
                                 std::stop_token stop) {
    const auto key = target(options, reader, ns, stop);
    if (!key) {
        return tl::unexpected(key.error());
    }
    const auto text = reader.describe(*key, stop);
    if (!text) {
        return tl::unexpected(text.error());
    }
    if (options.output == "json") {
        return nlohmann::json{{"object", key->text()}, {"text", text->value()}}.dump(
                   -1, ' ', false, nlohmann::json::error_handler_t::replace) +
               "\n";
    }
    return guard::visibleText(text->value());
}

Result<std::string> graphText(const Options& options, const BlockingReader& reader, const std::string& ns,
                              std::stop_token stop) {
    std::optional<guard::ObjectRef> root;
    cluster::ListScope scope{ns, "", ""};
    if (!options.words.empty()) {
        const auto key = target(options, reader, ns, stop);
        if (!key) {
            return tl::unexpected(key.error());
        }
        const auto object = reader.get(*key, stop);
        if (!object) {
            return tl::unexpected(object.error());
        }
        root = guard::ObjectRef{*key, cluster::read::text(object->value(), {"metadata", "uid"})};
        scope.ns = key->ns;
    }
    const auto graph = reader.relations(root, scope, kSteps, stop);
    if (!graph) {
        return tl::unexpected(graph.error());
    }
    if (options.output == "json") {
        return asJson(*graph).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    }
    for (const guard::Gap& gap : graph->gaps()) {
        std::cerr << "alidadectl: not complete: " << word(gap.source) << ": " << word(gap.reason) << "\n";
    }
    return options.output == "dot" ? asDot(graph->partial()) : asTable(graph->partial());
}

/// Asks on a thread of its own, so that Ctrl+C ends the waiting.
Exit answer(const Options& options, const std::vector<std::string>& outputs, Ask ask) {
    if (std::find(outputs.begin(), outputs.end(), options.output) == outputs.end()) {
        std::string choices;
        for (const std::string& one : outputs) {
            choices += one.empty() ? "" : (choices.empty() ? "" : ", ") + one;
        }
        return complain(guard::Error(ErrorCode::Config, "--output " + options.output, "must be one of " + choices));
    }
    const auto bench = makeWorkbench(options);
    if (!bench) {
        return complain(bench.error());
    }
    const auto session = (*bench)->open((*bench)->firstContext());
    if (!session) {
        return complain(session.error());
    }
    const auto wakeup = std::make_shared<EventWakeup>();
    cluster::Mailbox<Result<std::string>> answers(wakeup);
    const std::string ns = options.ns.empty() ? (*session)->info().ns : options.ns;
    std::jthread asking(
        [&](std::stop_token stop) { answers.post(ask(options, BlockingReader((*session)->reader()), ns, stop)); });
    Terminal terminal;
    for (;;) {
        if (terminal.wait(*wakeup, false).interrupted) {
            return Exit::Cancelled;
        }
        for (const auto& given : answers.drain()) {
            if (!given) {
                return complain(given.error());
            }
            std::cout << *given << std::flush;
            return Exit::Ok;
        }
    }
}

} // namespace

Exit describe(const Options& options) { return answer(options, {"", "text", "json"}, describeText); }

Exit graph(const Options& options) { return answer(options, {"", "table", "json", "dot"}, graphText); }

} // namespace alidade::headless
