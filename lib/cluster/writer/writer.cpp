// SPDX-License-Identifier: GPL-3.0-or-later
#include "writer.hpp"

#include "render.hpp"

namespace alidade::cluster::writer {

using guard::ErrorCode;
using guard::WriteOutcome;
using nlohmann::json;

namespace {
constexpr guard::Millis writeDeadline{30'000};
constexpr guard::Millis dryRunDeadline{10'000};
constexpr std::size_t mostBytes = 16UL * 1024 * 1024;

/// 299 - "text": RFC 7234 5.5, KEP-1693.
std::vector<std::string> warningsOf(const http::Headers& headers) {
    std::vector<std::string> out;
    for (const std::string_view value : headers.all("Warning")) {
        const std::size_t open = value.find('"');
        const std::size_t close = value.rfind('"');
        if (open == std::string_view::npos || close <= open) {
            out.emplace_back(value);
            continue;
        }
        std::string text;
        for (std::size_t i = open + 1; i < close; ++i) {
            if (value[i] == '\\' && i + 1 < close)
                ++i;
            text += value[i];
        }
        out.push_back(std::move(text));
    }
    return out;
}

struct Exchange {
    std::unique_ptr<http::Call> call;
    http::ResponseHead head;
    Answer answer;
    SlotPtr<Answer> slot;
    std::string where;
};

std::string textAt(const json& object, const char* parent, const char* key) {
    const auto p = object.is_object() ? object.find(parent) : object.end();
    if (!object.is_object() || p == object.end() || !p->is_object())
        return {};
    const auto k = p->find(key);
    return k != p->end() && k->is_string() ? k->get<std::string>() : std::string();
}
} // namespace

http::Request DryRunRequest::serialised() const {
    http::Request request;
    request.method = request_.method;
    request.target = request_.path + (request_.path.find('?') == std::string::npos ? "?" : "&") + "dryRun=All";
    request.headers.set("Content-Type", request_.contentType);
    request.body = request_.body;
    return request;
}

Writer::Writer(std::shared_ptr<TransportSession> session, std::shared_ptr<const guard::Clock> clock)
    : session_(session), clock_(std::move(clock)) {}

SlotPtr<Answer> Writer::send(http::Request request, http::Connection connection, guard::Millis deadline,
                             const guard::Brake* brake) const {
    auto slot = std::make_shared<Slot<Answer>>();
    auto fill = filling(slot);
    const std::shared_ptr<TransportSession> alive = session();
    if (!alive)
        return slot; // `fill` goes uncalled: cancelled
    alive->transport().io().post(
        [weak = session_, request = std::move(request), connection, deadline, brake, fill]() mutable {
            const std::shared_ptr<TransportSession> session = weak.lock();
            if (!session)
                return;
            if (brake && brake->engaged()) {
                Answer braked;
                braked.error = guard::Error(ErrorCode::Refused, "brake", "the brake is on: nothing was sent");
                fill(std::move(braked));
                return;
            }
            auto exchange = std::make_shared<Exchange>();
            exchange->where = request.method + " " + request.target;
            http::CallOptions options;
            options.connection = connection;
            options.deadline = deadline;
            http::CallHandler handler;
            handler.head = [exchange](const http::ResponseHead& head) {
                exchange->head = head;
                exchange->answer.status = head.status;
                exchange->answer.warnings = warningsOf(head.headers);
            };
            handler.body = [exchange](std::string_view bytes) {
                if (exchange->answer.body.size() + bytes.size() <= mostBytes)
                    exchange->answer.body += bytes;
            };
            handler.done = [exchange, fill, weak](guard::Result<void> result) {
                Answer& answer = exchange->answer;
                answer.whole = result.has_value();
                answer.sent = answer.status != 0 || (exchange->call && exchange->call->sent());
                if (answer.status >= 300)
                    answer.error = errorFromResponse(exchange->where, exchange->head, answer.body);
                else if (!result)
                    answer.error = result.error();
                fill(std::move(answer));
                // The call may not be destroyed inside its own callback.
                if (const std::shared_ptr<TransportSession> here = weak.lock())
                    here->transport().io().post([exchange] { exchange->call.reset(); });
            };
            exchange->call = session->transport().start(std::move(request), options, std::move(handler));
        });
    return slot;
}

SlotPtr<Answer> Writer::preview(const DryRunRequest& request) const {
    return send(request.serialised(), http::Connection::Fresh, dryRunDeadline, nullptr);
}

SlotPtr<json> Writer::read(const std::string& path) const {
    auto slot = std::make_shared<Slot<json>>();
    http::Request request;
    request.target = path;
    request.headers.set("Accept", "application/json");
    send(std::move(request), http::Connection::Pooled, dryRunDeadline, nullptr)
        ->then([slot](const guard::Result<Answer>& answer) {
            if (!answer)
                return slot->complete(tl::unexpected(answer.error()));
            if (answer->error)
                return slot->complete(tl::unexpected(*answer->error));
            json value = json::parse(answer->body, nullptr, false);
            if (value.is_discarded())
                return slot->complete(guard::fail(ErrorCode::Protocol, "GET", "the answer is no JSON"));
            slot->complete(std::move(value));
        });
    return slot;
}

SlotPtr<json> Writer::object(const ObjectKey& key) const {
    auto slot = std::make_shared<Slot<json>>();
    auto fill = filling(slot);
    const std::shared_ptr<TransportSession> alive = session();
    if (!alive)
        return slot;
    alive->reader()->get(key, [fill](Result<guard::Raw<json>> value) {
        if (!value)
            return fill(tl::unexpected(value.error()));
        fill(std::move(*value).value());
    });
    return slot;
}

std::optional<std::string> Writer::refusal(const guard::Audited& audited) const {
    const guard::ProposalContent& content = audited.content();
    if (audited.spent())
        return "the approval is spent";
    const std::shared_ptr<TransportSession> alive = session();
    if (!alive || content.epoch != alive->info().epoch)
        return "it was approved for another connection";
    if (clock_->now() >= content.expiresAt)
        return "the approval has expired";
    if (guard::digestOf(content.items) != content.digest)
        return "what would be sent is not what was approved";
    const std::string& uid = audited.item().uid;
    const SlotPtr<json> read = object(audited.item().action.target.key);
    const guard::Result<json>* now = read->wait(clock_->now() + guard::Limits::uidTimeout, *clock_);
    if (!now)
        return "the target could not be read again in time";
    if (!*now) {
        if (now->error().code == ErrorCode::NotFound)
            return "the target does not exist any more";
        // Who may write but not read is covered by the request's own conditions.
        if (now->error().code == ErrorCode::Forbidden)
            return std::nullopt;
        return "the target could not be read again: " + now->error().text();
    }
    const std::string present = textAt(**now, "metadata", "uid");
    if (!uid.empty() && present != uid)
        return "the target is another object now: its uid is " + present + ", not " + uid;
    return std::nullopt;
}

WriteOutcome Writer::execute(guard::Audited audited, const guard::Brake& brake) const {
    WriteOutcome outcome;
    if (std::optional<std::string> why = refusal(audited)) {
        outcome.kind = WriteOutcome::Kind::NotSent;
        outcome.error =
            guard::Error(ErrorCode::Refused, audited.spent() ? "writer" : audited.item().action.summary(), *why);
        outcome.detail = std::move(*why);
        return outcome;
    }
    const guard::WriteRequest& approved = audited.request();
    http::Request request;
    request.method = approved.method;
    request.target = approved.path;
    request.headers.set("Content-Type", approved.contentType);
    request.headers.set("Accept", "application/json");
    request.body = approved.body;
    const SlotPtr<Answer> slot = send(std::move(request), http::Connection::Fresh, writeDeadline, &brake);
    // Longer than the exchange's own deadline: the brake must not be looked at after this returns.
    const guard::Result<Answer>* answer = slot->wait(clock_->now() + 2 * writeDeadline, *clock_);
    if (answer && *answer)
        return judged(audited, **answer);
    // The connection was closed under us, or its thread hangs: nobody knows.
    outcome.kind = WriteOutcome::Kind::Unknown;
    if (answer)
        outcome.error = answer->error();
    outcome.detail = "the connection was closed before an answer";
    return outcome;
}

guard::Result<json> Writer::reread(const guard::Audited& audited) const {
    const bool scale = audited.item().action.kind() == guard::ActionKind::Scale;
    const ObjectKey& key = audited.item().action.target.key;
    const SlotPtr<json> slot = scale ? read(objectPath(key) + "/scale") : object(key);
    const guard::Result<json>* now = slot->wait(clock_->now() + guard::Limits::uidTimeout, *clock_);
    if (!now)
        return guard::fail(ErrorCode::Timeout, "GET", "no answer in time");
    if (!*now && now->error().code == ErrorCode::NotFound)
        return json(nullptr);
    return *now;
}

WriteOutcome Writer::judged(const guard::Audited& audited, const Answer& answer) const {
    WriteOutcome outcome;
    outcome.warnings = answer.warnings;
    outcome.error = answer.error;
    const guard::WriteRequest& request = audited.request();

    if (answer.status >= 200 && answer.status < 300) {
        outcome.kind = WriteOutcome::Kind::Done;
        outcome.error.reset();
        outcome.detail = answer.whole ? "" : "accepted; the answer was cut off";
        const json body = json::parse(answer.body, nullptr, false);
        if (body.is_object()) {
            const auto metadata = body.find("metadata");
            if (metadata != body.end() && metadata->is_object()) {
                const auto generation = metadata->find("generation");
                if (generation != metadata->end() && generation->is_number_integer())
                    outcome.observedGeneration = generation->get<std::int64_t>();
                const auto finalizers = metadata->find("finalizers");
                if (request.method == "DELETE" && !textAt(body, "metadata", "deletionTimestamp").empty()) {
                    outcome.detail = "accepted; it is being deleted";
                    if (finalizers != metadata->end() && finalizers->is_array() && !finalizers->empty()) {
                        std::string held;
                        for (const json& f : *finalizers)
                            if (f.is_string())
                                held += (held.empty() ? "" : ", ") + f.get<std::string>();
                        outcome.detail = "accepted; held by finalizer " + held;
                    }
                }
            }
        }
        if (answer.status == 202 && outcome.detail.empty())
            outcome.detail = "accepted; it is carried out later";
        return outcome;
    }
    if (answer.status == 0 && !answer.sent) {
        outcome.kind = WriteOutcome::Kind::NotSent;
        outcome.detail = answer.error ? answer.error->text() : "nothing was sent";
        return outcome;
    }
    const guard::Result<json> now = reread(audited);
    if (answer.status == 409 || answer.status == 422 || answer.status == 412) {
        outcome.kind = WriteOutcome::Kind::Refused;
        const std::string changed = now ? changedSince(request, audited.item().uid, *now) : std::string();
        outcome.detail =
            changed.empty() ? (answer.error ? answer.error->detail : "refused") : "value changed: " + changed;
        return outcome;
    }
    if (answer.status >= 400 && answer.status < 500) {
        outcome.kind = WriteOutcome::Kind::Refused;
        outcome.detail = answer.error ? answer.error->detail : "refused";
        return outcome;
    }
    // No answer, a gateway's, a redirect, or a failure inside the server: it may have been carried out. Look, and say
    // so.
    const bool answered = answer.status == 500 || answer.status == 503 || (answer.status >= 300 && answer.status < 400);
    const std::string what = answer.error ? answer.error->text() : "no answer";
    if (!now) {
        outcome.kind = WriteOutcome::Kind::Unknown;
        outcome.detail = what + "; the target could not be read again: " + now.error().text();
    } else if (inPlace(request, *now)) {
        outcome.kind = WriteOutcome::Kind::Unknown;
        outcome.detail = what + "; read again: the change is in place";
    } else {
        // The server itself has finished with a request that it answered; one without an answer may still be under way.
        outcome.kind = answered ? WriteOutcome::Kind::Failed : WriteOutcome::Kind::Unknown;
        outcome.detail = what + "; read again: the change is not in place";
    }
    return outcome;
}

} // namespace alidade::cluster::writer
