// SPDX-License-Identifier: GPL-3.0-or-later
// Image pulls: what the registry or the kubelet said tells a wrong name from a missing right, a limit or an outage.
#include <algorithm>
#include <array>

#include "analyst/rules.hpp"

namespace alidade::agent {
namespace {

enum class Pull { NotFound, Ambiguous, Auth, RateLimit, Unreachable, Platform, InvalidName, NeverPull, Other };

struct PullRow {
    Pull pull;
    std::string_view rule;
    std::string_view says;
    double confidence;
    bool byTemplate; ///< going back to an older template can help
    std::string_view next;
};
constexpr std::array pullTable{
    PullRow{Pull::NotFound, "image.not_found", "the registry does not have it", 0.85, true,
            "List the tags of the repository in the registry"},
    PullRow{Pull::Ambiguous, "image.not_found_or_denied",
            "the registry does not have it, or shows it only after a login", 0.7, true,
            "Check the name first, then the pull secret"},
    PullRow{Pull::Auth, "image.auth", "the registry refused the credentials, or there were none", 0.8, false,
            "Check the imagePullSecrets of the pod and of its service account"},
    PullRow{Pull::RateLimit, "image.rate_limit", "the registry limits the number of pulls", 0.8, false,
            "Wait, or pull with an account or through a mirror"},
    PullRow{Pull::Unreachable, "image.registry_unreachable", "the node does not reach the registry", 0.75, false,
            "Check name resolution, egress and proxy of the node"},
    PullRow{Pull::Platform, "image.platform", "there is no image for the node's platform", 0.85, true,
            "Build the image for the node's platform"},
    PullRow{Pull::InvalidName, "image.invalid_name", "its name is not a valid image reference", 0.9, true,
            "Correct the image reference"},
    PullRow{Pull::NeverPull, "image.never_pull", "it is not on the node and the policy is never to pull it", 0.85, true,
            "Change imagePullPolicy, or load the image onto the node"},
    PullRow{Pull::Other, "image.pull_failed", "it cannot be pulled", 0.6, false,
            "Read the event of the pull for the registry's own words"},
};

const PullRow& row(Pull pull) {
    return *std::find_if(pullTable.begin(), pullTable.end(), [&](const PullRow& r) { return r.pull == pull; });
}

/// Most telling words first: a registry's answer often holds several.
Pull classify(std::string_view reason, std::string_view text) {
    if (reason == "InvalidImageName" || holdsAny(text, {"couldn't parse image", "invalid reference format"}))
        return Pull::InvalidName;
    if (reason == "ErrImageNeverPull")
        return Pull::NeverPull;
    if (holdsAny(text, {"toomanyrequests", "rate limit", "429 too many"}))
        return Pull::RateLimit;
    if (holdsAny(text, {"no match for platform", "no matching manifest", "does not match the specified platform"}))
        return Pull::Platform;
    if (holdsAny(text, {"may require", "or may require 'docker login'"}) && holdsAny(text, {"does not exist"}))
        return Pull::Ambiguous;
    if (holdsAny(text, {"unauthorized", "authentication required", "no basic auth credentials", "401", "403 forbidden",
                        "access denied", "denied:", "authorization failed", "insufficient_scope"}))
        return Pull::Auth;
    if (holdsAny(text, {"not found", "manifest unknown", "notfound", "name unknown", "does not exist"}))
        return holdsAny(text, {"no such host"}) ? Pull::Unreachable : Pull::NotFound;
    if (holdsAny(text, {"no such host", "i/o timeout", "connection refused", "network is unreachable", "x509",
                        "dial tcp", "deadline exceeded", "tls handshake", "connection reset"}))
        return Pull::Unreachable;
    return Pull::Other;
}

/// Insertions, removals and replacements between two short texts; gives up past `limit`.
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit) {
    if (a.size() > 300 || b.size() > 300 || (a.size() > b.size() ? a.size() - b.size() : b.size() - a.size()) > limit)
        return limit + 1;
    std::vector<std::size_t> line(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        line[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = line[0];
        line[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = line[j];
            line[j] = std::min({above + 1, line[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            diagonal = above;
        }
    }
    return line[b.size()];
}

/// Where the tag or digest begins: a colon before the last slash belongs to a port.
std::string_view repository(std::string_view image) {
    const std::size_t at = image.find('@');
    if (at != std::string_view::npos)
        return image.substr(0, at);
    const std::size_t slash = image.rfind('/');
    const std::size_t colon = image.rfind(':');
    const bool tagged = colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash);
    return tagged ? image.substr(0, colon) : image;
}

void one(const Case& facts, const Group& group, std::vector<Conclusion>& out) {
    const guard::ContainerSignal& container = group.container();
    // The waiting state of a back-off says little; the event of the failed pull has the registry's words.
    const guard::EventSignal* event =
        facts.event(group.pod().ref, {"failed to pull", "failed to resolve", "couldn't parse image", "rpc error"});
    const std::string said = container.message + "\n" + (event == nullptr ? "" : event->message);
    const Pull pull = classify(container.reason, said);
    const PullRow& found = row(pull);

    const auto ofImage = [&](const guard::TemplateChange& change) {
        return ofContainer(change, container) && change.field.size() > 6 &&
               change.field.compare(change.field.size() - 6, 6, ".image") == 0 && change.after == container.image;
    };
    auto remedy = Case::remedy(*group.workload, ofImage);
    const std::string before = remedy ? remedy->change->before : std::string();
    const bool otherRepository = !before.empty() && repository(before) != repository(container.image);
    // Whatever keeps the new image away, the one before runs here now: to go back restores the service.
    const bool provenBefore = remedy && remedy->seenHealthy &&
                              (pull == Pull::Unreachable || pull == Pull::RateLimit || pull == Pull::Other);
    if (!found.byTemplate && !provenBefore &&
        !(otherRepository && (pull == Pull::Auth || pull == Pull::Unreachable)))
        remedy.reset();

    Conclusion conclusion = conclude(found.rule, weight::image, found.confidence, *group.workload,
                                     "The image " + container.image + " of " + group.where() +
                                         " cannot be pulled: " + std::string(found.says));
    if (remedy && !before.empty()) {
        if (otherRepository && distance(repository(before), repository(container.image), 2) <= 2)
            conclusion.finding.explanation +=
                "; its repository differs from the one before by a letter or two, like a slip";
        else
            conclusion.finding.explanation += "; the revision before used " + before;
    }
    conclusion.finding.claims.push_back(facts.claim(
        group.where() + (group.hits.size() == 1 && group.workload->signal == nullptr ? " waits: " : " wait: ") +
            container.reason,
        {group.pod().evidence}, {container.reason}));
    conclusion.finding.claims.push_back(
        facts.claim("The image asked for is " + container.image, {group.pod().evidence}, {container.image}));
    if (event != nullptr)
        conclusion.finding.claims.push_back(
            facts.claim("The kubelet reported: " + event->message, {event->evidence}, {event->message}));
    conclusion.finding.nextChecks.emplace_back(found.next);
    relate(conclusion, group);
    facts.blameTemplate(conclusion, *group.workload, remedy);
    out.push_back(std::move(conclusion));
}

} // namespace

void imageRules(const Case& facts, std::vector<Conclusion>& out) {
    const auto groups = facts.groups([](const guard::PodSignal&, const guard::ContainerSignal& container) {
        return container.state == "waiting" &&
               (container.reason == "ErrImagePull" || container.reason == "ImagePullBackOff" ||
                container.reason == "InvalidImageName" || container.reason == "ErrImageNeverPull" ||
                container.reason == "ImageInspectError" || container.reason == "RegistryUnavailable" ||
                container.reason == "SignatureValidationFailed");
    });
    for (const Group& group : groups)
        one(facts, group, out);
}

} // namespace alidade::agent
