// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/guard/ledger.hpp"

#include <map>

#include <nlohmann/json.hpp>

#include "alidade/guard/payload.hpp"
#include "sha256.hpp"

namespace alidade::guard {

using nlohmann::json;

namespace {
constexpr std::string_view hashMark = ",\"hash\":\"";
constexpr std::size_t hashBytes = 64;
constexpr std::size_t textBytes = 4096;
const std::string noHash(hashBytes, '0');

/// What the chain needs of one line; an error says what is wrong with it.
struct Record {
    std::uint64_t sequence = 0;
    std::string previous;
    std::string hash;
    std::string kind;
    std::optional<std::uint64_t> intent; ///< of an outcome
};
tl::expected<Record, std::string> parseRecord(std::string_view line) {
    const std::size_t tail = hashMark.size() + hashBytes + 2;
    if (line.size() <= tail)
        return tl::unexpected<std::string>("is no record");
    const std::string_view body = line.substr(0, line.size() - tail);
    const std::string_view end = line.substr(body.size());
    if (end.substr(0, hashMark.size()) != hashMark || end.substr(tail - 2) != "\"}")
        return tl::unexpected<std::string>("has no hash");
    Record record;
    record.hash = end.substr(hashMark.size(), hashBytes);
    if (sha256Hex(body) != record.hash)
        return tl::unexpected<std::string>("hash does not match");
    const json parsed = json::parse(line, nullptr, false);
    if (!parsed.is_object())
        return tl::unexpected<std::string>("is no JSON object");
    const auto sequence = parsed.find("seq");
    const auto previous = parsed.find("prev");
    const auto kind = parsed.find("kind");
    if (sequence == parsed.end() || !sequence->is_number_unsigned() || previous == parsed.end() ||
        !previous->is_string() || kind == parsed.end() || !kind->is_string())
        return tl::unexpected<std::string>("lacks a field");
    record.sequence = sequence->get<std::uint64_t>();
    record.previous = previous->get<std::string>();
    record.kind = kind->get<std::string>();
    const auto data = parsed.find("data");
    if (record.kind == "outcome" && data != parsed.end() && data->is_object()) {
        const auto intent = data->find("intent");
        if (intent != data->end() && intent->is_number_unsigned())
            record.intent = intent->get<std::uint64_t>();
    }
    return record;
}

/// Walks whole lines along the chain.
struct Chain {
    std::uint64_t sequence = 0;
    std::string head = noHash;
    /// What is wrong with the next line, or nothing.
    std::optional<std::string> follow(std::string_view line, Record* out = nullptr) {
        tl::expected<Record, std::string> record = parseRecord(line);
        if (!record)
            return record.error();
        if (record->sequence != sequence + 1)
            return "sequence " + std::to_string(record->sequence) + " follows " + std::to_string(sequence);
        if (record->previous != head)
            return "does not follow the record before it";
        sequence = record->sequence;
        head = record->hash;
        if (out)
            *out = std::move(*record);
        return std::nullopt;
    }
};
} // namespace

struct Ledger::Impl {
    std::mutex mutex;
    std::unique_ptr<DurableFile> file;
    const Clock& clock;
    std::string actor;
    Redactor redactor{Redactor::Options{.personalData = false}};
    Chain chain;
    std::uint64_t offset = 0;

    Impl(std::unique_ptr<DurableFile> f, const Clock& c, std::string a)
        : file(std::move(f)), clock(c), actor(std::move(a)) {}

    [[nodiscard]] std::string clean(const std::string& text) const {
        return bound(redactor.text(Raw<std::string>(text)), textBytes).value();
    }

    /// Lock held. Reads what others appended, follows the chain, repairs a torn tail.
    Result<void> catchUp() {
        const Result<std::uint64_t> size = file->size();
        if (!size)
            return tl::unexpected(size.error());
        if (*size < offset)
            return fail(ErrorCode::Config, file->name(), "the ledger became shorter while it was open");
        if (*size == offset)
            return {};
        const Result<std::string> bytes = file->readFrom(offset);
        if (!bytes)
            return tl::unexpected(bytes.error());
        std::string_view rest = *bytes;
        for (std::size_t newline = rest.find('\n'); newline != std::string_view::npos; newline = rest.find('\n')) {
            if (const auto fault = chain.follow(rest.substr(0, newline)))
                return fail(ErrorCode::Config, file->name(),
                            "the ledger does not verify: the record after " + std::to_string(chain.sequence) + " " +
                                *fault + "; keep the file for examination, and move it away to begin a new one");
            offset += newline + 1;
            rest.remove_prefix(newline + 1);
        }
        if (rest.empty())
            return {};
        const json data{{"bytes", rest.size()}, {"sha256", sha256Hex(rest)}};
        if (Result<void> cut = file->truncate(offset); !cut)
            return cut;
        return append("repair", data);
    }

    /// Lock held, caught up.
    Result<void> append(std::string_view kind, const json& data) {
        std::string body = "{\"seq\":" + std::to_string(chain.sequence + 1) + ",\"prev\":\"" + chain.head +
                           "\",\"at\":\"" + formatRfc3339(clock.wall(), 9) +
                           "\",\"actor\":" + json(actor).dump(-1, ' ', false, json::error_handler_t::replace) +
                           ",\"kind\":" + json(kind).dump() +
                           ",\"data\":" + data.dump(-1, ' ', false, json::error_handler_t::replace);
        const std::string hash = sha256Hex(body);
        if (hash.size() != hashBytes)
            return fail(ErrorCode::Internal, file->name(), "no SHA-256");
        const std::string line = body + std::string(hashMark) + hash + "\"}\n";
        if (Result<void> written = file->append(line); !written)
            return written;
        offset += line.size();
        ++chain.sequence;
        chain.head = hash;
        return {};
    }

    /// The sequence of the new record.
    Result<std::uint64_t> record(std::string_view kind, const json& data) {
        const std::lock_guard guard(mutex);
        if (Result<void> locked = file->lock(); !locked)
            return tl::unexpected(locked.error());
        Result<void> done = catchUp();
        if (done)
            done = append(kind, data);
        file->unlock();
        if (!done)
            return tl::unexpected(done.error());
        return chain.sequence;
    }
};

Ledger::Ledger(std::unique_ptr<DurableFile> file, const Clock& clock, std::string actor)
    : impl_(std::make_shared<Impl>(std::move(file), clock, std::move(actor))) {}

Result<std::unique_ptr<Ledger>> Ledger::open(std::unique_ptr<DurableFile> file, const Clock& clock, std::string actor) {
    if (!file)
        return fail(ErrorCode::Internal, "ledger", "there is no file");
    std::unique_ptr<Ledger> ledger(new Ledger(std::move(file), clock, std::move(actor)));
    Impl& impl = *ledger->impl_;
    const std::lock_guard guard(impl.mutex);
    if (Result<void> locked = impl.file->lock(); !locked)
        return tl::unexpected(locked.error());
    const Result<void> caughtUp = impl.catchUp();
    impl.file->unlock();
    if (!caughtUp)
        return tl::unexpected(caughtUp.error());
    return ledger;
}

Result<Audited> Ledger::intent(ApprovedItem item) {
    if (item.spent())
        return fail(ErrorCode::Refused, "ledger", "the approval is spent");
    const ProposalContent& content = item.content();
    const ProposalItem& what = item.item();
    // The body holds pod templates with whatever people put into them: its hash identifies it, its text stays out.
    const json data{{"proposal", content.id.value},
                    {"item", item.index()},
                    {"items", content.items.size()},
                    {"digest", content.digest},
                    {"epoch", content.epoch.value},
                    {"context", impl_->clean(content.context)},
                    {"origin", name(content.provenance.origin)},
                    {"principal", impl_->clean(content.provenance.principal)},
                    {"incident", impl_->clean(content.provenance.incident)},
                    {"reviewed", content.provenance.reviewed},
                    {"why", content.provenance.diagnosis ? impl_->clean(content.provenance.diagnosis->hypothesis) : ""},
                    {"how", item.how_},
                    {"risk", name(content.risk)},
                    {"action", what.action.summary()},
                    {"uid", what.uid},
                    {"method", what.request.method},
                    {"path", what.request.path},
                    {"body_sha256", sha256Hex(what.request.body)},
                    {"body_bytes", what.request.body.size()},
                    {"preconditions", what.request.preconditions}};
    const Result<std::uint64_t> sequence = impl_->record("intent", data);
    if (!sequence)
        return tl::unexpected(sequence.error());
    return Audited(std::move(item), *sequence);
}

Result<void> Ledger::outcome(const Audited& audited, const WriteOutcome& result) {
    if (audited.spent())
        return fail(ErrorCode::Refused, "ledger", "the audited item is spent");
    return outcome(audited.intentSequence(), result);
}

Result<void> Ledger::outcome(std::uint64_t intentSequence, const WriteOutcome& result) {
    json data{{"intent", intentSequence}, {"outcome", name(result.kind)}, {"detail", impl_->clean(result.detail)}};
    if (result.error)
        data["error"] = {{"code", name(result.error->code)}, {"text", impl_->clean(result.error->text())}};
    const Result<std::uint64_t> sequence = impl_->record("outcome", data);
    if (!sequence)
        return tl::unexpected(sequence.error());
    return {};
}

Result<void> Ledger::note(std::string_view kind, const std::vector<std::pair<std::string, std::string>>& fields) {
    if (kind == "intent" || kind == "outcome" || kind == "repair")
        return fail(ErrorCode::Internal, "ledger", "a note may not look like a write");
    json data = json::object();
    for (const auto& [key, value] : fields)
        data[impl_->clean(key)] = impl_->clean(value);
    const Result<std::uint64_t> sequence = impl_->record(kind, data);
    if (!sequence)
        return tl::unexpected(sequence.error());
    return {};
}

LedgerReport verifyLedger(std::string_view bytes) {
    LedgerReport report;
    Chain chain;
    std::map<std::uint64_t, bool> intents; // by sequence: has an outcome
    std::uint64_t line = 0;
    while (!bytes.empty()) {
        ++line;
        const std::size_t newline = bytes.find('\n');
        if (newline == std::string_view::npos) {
            report.tornTail = true;
            report.faults.push_back("line " + std::to_string(line) + ": is torn, it has no end");
            break;
        }
        Record record;
        if (const auto fault = chain.follow(bytes.substr(0, newline), &record)) {
            report.faults.push_back("line " + std::to_string(line) + ": " + *fault);
            break; // nothing after a broken link proves anything
        }
        ++report.records;
        report.head = chain.head;
        if (record.kind == "intent")
            intents.emplace(record.sequence, false);
        if (record.kind == "outcome") {
            const auto intent = record.intent ? intents.find(*record.intent) : intents.end();
            if (intent == intents.end())
                report.faults.push_back("line " + std::to_string(line) + ": an outcome without its intent");
            else
                intent->second = true;
        }
        bytes.remove_prefix(newline + 1);
    }
    for (const auto& [sequence, done] : intents)
        if (!done)
            report.unknownIntents.push_back(sequence);
    report.valid = report.faults.empty();
    return report;
}

} // namespace alidade::guard
