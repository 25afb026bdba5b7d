// SPDX-License-Identifier: GPL-3.0-or-later
#include "reader/json_fields.hpp"
#include "reader/reads.hpp"

namespace alidade::cluster {

using guard::Access;
using guard::ErrorCode;
using nlohmann::json;

void reviewAccess(const CorePtr& core, std::string verb, const KindId& kind, std::string subresource, std::string ns,
                  std::string name, Done<guard::AccessReview> done) {
    guard::AccessReview review;
    review.verb = verb + " " + kind.resource + (kind.group.empty() ? "" : "." + kind.group) +
                  (subresource.empty() ? "" : "/" + subresource) + (ns.empty() ? "" : " in " + ns);
    json attributes = {{"verb", std::move(verb)}, {"group", kind.group}, {"resource", kind.resource}};
    for (const auto& [field, value] : {std::pair("version", kind.version), std::pair("subresource", subresource),
                                       std::pair("namespace", ns), std::pair("name", name)}) {
        if (!value.empty()) {
            attributes[field] = value;
        }
    }
    const json body = {{"apiVersion", "authorization.k8s.io/v1"},
                       {"kind", "SelfSubjectAccessReview"},
                       {"spec", {{"resourceAttributes", std::move(attributes)}}}};
    core->postJson("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", body,
                   [review = std::move(review), done = std::move(done)](const Result<json>& answer) mutable {
                       if (!answer) {
                           const ErrorCode code = answer.error().code;
                           if (code != ErrorCode::Forbidden && code != ErrorCode::Denied &&
                               code != ErrorCode::NotFound && code != ErrorCode::BadRequest &&
                               code != ErrorCode::Unsupported) {
                               done(tl::unexpected(answer.error()));
                               return;
                           }
                           review.reason = answer.error().detail; // the server will not say
                           done(std::move(review));
                           return;
                       }
                       const json& status = child(*answer, "status");
                       review.reason = textOf(status, "reason");
                       if (std::string fault = textOf(status, "evaluationError"); !fault.empty()) {
                           review.reason += (review.reason.empty() ? "" : "; ") + fault;
                       }
                       if (child(status, "allowed").is_boolean()) {
                           review.access = flagOf(status, "allowed") ? Access::Allowed : Access::Denied;
                       }
                       done(std::move(review));
                   });
}

} // namespace alidade::cluster
