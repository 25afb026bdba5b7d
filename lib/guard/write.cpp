// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/guard/write.hpp"

#include <algorithm>
#include <array>

#include <openssl/evp.h>

#include "sha256.hpp"

namespace alidade::guard {

std::string_view name(Origin origin) noexcept {
    switch (origin) {
    case Origin::Person: return "person";
    case Origin::Run: return "run";
    case Origin::Skill: return "skill";
    case Origin::Mcp: return "mcp";
    case Origin::Rest: return "rest";
    case Origin::CustomResource: return "custom_resource";
    }
    return "run";
}

std::string_view name(Access access) noexcept {
    switch (access) {
    case Access::Allowed: return "allowed";
    case Access::Denied: return "denied";
    case Access::Unknown: return "unknown";
    }
    return "unknown";
}

std::string_view name(FieldDiff::Kind kind) noexcept {
    switch (kind) {
    case FieldDiff::Kind::Added: return "added";
    case FieldDiff::Kind::Removed: return "removed";
    case FieldDiff::Kind::Changed: return "changed";
    case FieldDiff::Kind::AddedByServer: return "added_by_server";
    }
    return "changed";
}

std::string_view name(WriteOutcome::Kind kind) noexcept {
    switch (kind) {
    case WriteOutcome::Kind::Done: return "done";
    case WriteOutcome::Kind::Refused: return "refused";
    case WriteOutcome::Kind::NotSent: return "not_sent";
    case WriteOutcome::Kind::Failed: return "failed";
    case WriteOutcome::Kind::Unknown: return "unknown";
    }
    return "unknown";
}

Draft Draft::fromPlan(Validated<Plan> plan, Provenance provenance, EpochId epoch) {
    // Whoever has a validated plan is no person at the desk.
    if (provenance.origin == Origin::Person)
        provenance.origin = Origin::Run;
    return {plan.value(), std::move(provenance), epoch};
}

Draft Draft::fromPerson(Plan plan, Provenance provenance, EpochId epoch) {
    provenance.origin = Origin::Person;
    return {std::move(plan), std::move(provenance), epoch};
}

std::string sha256Hex(std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
        return {};
    static constexpr char hex[] = "0123456789abcdef";
    std::string out;
    for (unsigned int i = 0; i < size; ++i) {
        out += hex[digest[i] >> 4U];
        out += hex[digest[i] & 15U];
    }
    return out;
}

std::string digestOf(const std::vector<ProposalItem>& items) {
    // Each part with its length: no two different lists of parts give the same bytes.
    std::string canonical = "alidade proposal 1\n";
    const auto part = [&](std::string_view text) {
        canonical += std::to_string(text.size()) + ":";
        canonical += text;
    };
    part(std::to_string(items.size()));
    for (const ProposalItem& item : items) {
        for (const std::string* text :
             {&item.uid, &item.request.method, &item.request.path, &item.request.contentType, &item.request.body})
            part(*text);
        part(std::to_string(item.request.preconditions.size()));
        for (const std::string& precondition : item.request.preconditions)
            part(precondition);
        part(name(item.heal.signal));
        part(std::to_string(item.heal.threshold));
        part(std::to_string(item.heal.hold.count()));
        part(std::to_string(item.heal.window.count()));
    }
    return sha256Hex(canonical);
}

HumanAct::HumanAct(HumanAct&& other) noexcept
    : digest_(std::exchange(other.digest_, {})), how_(std::exchange(other.how_, {})),
      typed_(std::exchange(other.typed_, {})), override_(std::exchange(other.override_, false)), at_(other.at_) {}

HumanAct& HumanAct::operator=(HumanAct&& other) noexcept {
    if (this != &other) {
        digest_ = std::exchange(other.digest_, {});
        how_ = std::exchange(other.how_, {});
        typed_ = std::exchange(other.typed_, {});
        override_ = std::exchange(other.override_, false);
        at_ = other.at_;
    }
    return *this;
}

namespace {
const ProposalContent& spentContent() noexcept {
    static const ProposalContent content;
    return content;
}
const ProposalItem& spentItem() noexcept {
    static const ProposalItem item;
    return item;
}
} // namespace

const ProposalItem& ApprovedItem::item() const noexcept { return content_ ? content_->items[index_] : spentItem(); }
const ProposalContent& ApprovedItem::content() const noexcept { return content_ ? *content_ : spentContent(); }
const ProposalContent& Approved::content() const noexcept { return content_ ? *content_ : spentContent(); }

std::optional<ApprovedItem> Approved::next() {
    if (!content_ || next_ >= content_->items.size())
        return std::nullopt;
    return ApprovedItem(content_, next_++, how_);
}

tl::expected<Approved, std::pair<Error, Proposal>> approve(Proposal proposal, HumanAct act, EpochId current,
                                                           MonoTime now) {
    const auto refuse = [&](std::string detail) {
        return tl::unexpected<std::pair<Error, Proposal>>(
            std::pair<Error, Proposal>(Error(ErrorCode::Refused, "approval", std::move(detail)), std::move(proposal)));
    };
    const std::shared_ptr<const ProposalContent> content = proposal.content_;
    if (!content || content->items.empty())
        return refuse("the proposal is spent");
    if (act.digest().empty())
        return refuse("the act is spent");
    if (act.digest() != content->digest || digestOf(content->items) != content->digest)
        return refuse("the act is for another content than this proposal's");
    if (content->epoch != current)
        return refuse("the connection is another one than the proposal was made for");
    if (now >= content->expiresAt)
        return refuse("the proposal has expired");
    if (act.at() < content->madeAt || act.at() > now)
        return refuse("the act was not made on this proposal");
    if (!content->typedConfirmation.empty() && act.typed() != content->typedConfirmation)
        return refuse("the confirmation was not typed");
    if (content->namedOnly && !act.namedOnlyOverride())
        return refuse("the target is known by name only, and that was not accepted");
    return Approved(content, act.how());
}

} // namespace alidade::guard
