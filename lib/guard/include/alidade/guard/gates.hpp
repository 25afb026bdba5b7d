// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Quality gate and action gate, and the proofs they make:
//   Diagnosis -> Grounded<Diagnosis> -> Plan -> Validated<Plan> -> Draft
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "alidade/guard/settings.hpp"
#include "alidade/guard/triage.hpp"

namespace alidade::guard {

class QualityGate;
class ActionGate;

/// A diagnosis that passed the quality gate; the gate alone makes one.
template <class T>
class Grounded {
public:
    [[nodiscard]] const T& value() const noexcept { return value_; }
    [[nodiscard]] bool reviewed() const noexcept { return reviewed_; }

private:
    friend class QualityGate;
    Grounded(T value, bool reviewed) : value_(std::move(value)), reviewed_(reviewed) {}
    T value_;
    bool reviewed_;
};

/// A plan that passed the action gate; the gate alone makes one.
template <class T>
class Validated {
public:
    [[nodiscard]] const T& value() const noexcept { return value_; }

private:
    friend class ActionGate;
    explicit Validated(T value) : value_(std::move(value)) {}
    T value_;
};

/// What an independent judge says of a diagnosis. No judge, or a failed one, is "not reviewed", never "passed".
struct Review {
    bool passed = false;
    std::string by;      ///< never the diagnoser itself
    std::string reason;
};

class QualityGate {
public:
    struct Result {
        Verdict verdict;
        Diagnosis marked;  ///< the diagnosis with claims marked supported or not, anchors set
        std::optional<Grounded<Diagnosis>> grounded;  ///< only when passed
    };
    /// fault: the suspect was read in this run, a suspected deploy is one of its revisions, confidence >= 0.5;
    /// no_fault: every required source complete; undetermined: gaps named. Every claim cited or marked, every quote
    /// verbatim in stored text.
    [[nodiscard]] static Result check(Diagnosis diagnosis, const Signals& signals, const EvidenceLedger& evidence,
                                      const std::optional<Review>& review);
};

class ActionGate {
public:
    struct Input {
        const Signals& signals;
        const ProtectedLists& protectedLists;
        std::string context;
        std::set<std::string> namespaces;  ///< the run's bound namespaces
        EpochId epoch;
        EpochId currentEpoch;              ///< of the cluster the run is bound to, now
        int replicaFloor = 1;              ///< a scale below it is refused
    };
    struct Result {
        Verdict verdict;
        std::optional<Validated<Plan>> validated;
    };
    /// Scope is one object, not protected, target exists in the signals, action matches the diagnosis, replica floor,
    /// namespace and epoch right.
    [[nodiscard]] static Result check(const Grounded<Diagnosis>& diagnosis, Plan plan, const Input& input);
    /// For a request without a diagnosis (MCP, REST, chat): leaves out only "matches diagnosis".
    [[nodiscard]] static Result checkRequest(Plan plan, const Input& input);
};

}  // namespace alidade::guard
