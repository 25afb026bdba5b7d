// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a run reads, raw, and what it makes of it: signals and evidence, redacted.
// Reads only. Thread: the run's, which waits; the reads themselves run side by side.
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "alidade/agent/run.hpp"
#include "alidade/cluster_model/session.hpp"
#include "alidade/guard/evidence.hpp"
#include "alidade/guard/payload.hpp"
#include "alidade/guard/settings.hpp"
#include "alidade/guard/triage.hpp"

namespace alidade::agent {

using RawObject = guard::Raw<nlohmann::json>;

struct ListRead {
    guard::KindId kind;
    std::vector<RawObject> objects;
};
struct LogRead {
    guard::ObjectRef pod;
    std::string container;
    std::string containerId;
    bool previous = false;
    guard::Raw<guard::LogText> text;
};
struct RevisionRead {
    guard::ObjectRef workload;
    std::vector<cluster::Revision> revisions;
};

/// Everything that was read, as it was read. Holds secrets; lives only until it is redacted.
struct Reading {
    std::string context;
    std::string ns;
    std::optional<RawObject> nsObject;
    bool nsMissing = false; ///< the server says that there is no such namespace
    std::vector<ListRead> lists;
    std::vector<LogRead> logs;
    std::vector<RevisionRead> revisions;
    std::vector<guard::Gap> gaps;      ///< of sources that a "no fault" needs
    std::vector<guard::Gap> otherGaps; ///< of the rest
    std::size_t reads = 0;
    guard::WallTime at{};

    [[nodiscard]] const std::vector<RawObject>& objects(const guard::KindId& kind) const;
};

/// Reads the incident's namespace: the objects that matter, their events, logs and revisions. Bounded; at most four
/// reads at once. Returns what there is when stopped.
[[nodiscard]] Reading readNamespace(const cluster::BlockingReader& reader, const cluster::SessionInfo& info,
                                    const Incident& incident, guard::WallTime now, const std::stop_token& stop);

struct Gathered {
    guard::Signals signals;
    std::vector<guard::Gap> gaps;             ///< all of them
    std::map<std::string, std::size_t> masks; ///< rule -> masked places
};

/// Redacts, stores as evidence, and shapes signals. Nothing of the reading's text goes on but through `redactor`.
[[nodiscard]] Gathered makeSignals(const Reading& reading, const Incident& incident,
                                   const guard::ProtectedLists& protectedLists, const guard::Redactor& redactor,
                                   guard::EvidenceLedger& evidence);

} // namespace alidade::agent
