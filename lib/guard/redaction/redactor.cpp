// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cstdio>

#include <nlohmann/json.hpp>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "alidade/guard/payload.hpp"
#include "alidade/guard/text.hpp"
#include "redaction/known.hpp"
#include "redaction/scan.hpp"
#include "utf8.hpp"

namespace alidade::guard {

using nlohmann::json;
using namespace redaction;

namespace {
constexpr int deepest = 96;
constexpr std::string_view lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

std::string pointerTo(const std::string& parent, std::string_view key) {
    std::string out = parent + "/";
    for (const char c : key) {
        if (c == '~')
            out += "~0";
        else if (c == '/')
            out += "~1";
        else
            out += c;
    }
    return out;
}
const std::string* stringIn(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get_ptr<const std::string*>() : nullptr;
}
bool isSecretKind(const json& object) {
    const std::string* kind = stringIn(object, "kind");
    return kind && *kind == "Secret";
}
bool isSecretList(const json& object) {
    const std::string* kind = stringIn(object, "kind");
    return kind && *kind == "SecretList";
}
/// What runs in a container: its command's or else its arguments' first word.
std::string programOf(const json& container) {
    for (const char* key : {"command", "args"}) {
        const auto found = container.find(key);
        if (found != container.end() && found->is_array() && !found->empty() && found->front().is_string())
            return found->front().get<std::string>();
    }
    return {};
}
} // namespace

struct Redactor::Impl {
    Options options;
    std::array<unsigned char, 32> hmacKey{};
    mutable KnownSecrets known;

    explicit Impl(Options o) : options(o) {
        // Without randomness a tag would give its value away to guessing: then all tags are zero.
        keyed = RAND_bytes(hmacKey.data(), static_cast<int>(hmacKey.size())) == 1;
    }
    ~Impl() { wipe(hmacKey.data(), hmacKey.size()); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    bool keyed = false;

    [[nodiscard]] std::string mask(const char* rule, std::string_view value) const {
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
        unsigned int size = 0;
        if (keyed)
            HMAC(EVP_sha256(), hmacKey.data(), static_cast<int>(hmacKey.size()),
                 reinterpret_cast<const unsigned char*>(value.data()), value.size(), digest.data(), &size);
        char tag[16];
        std::snprintf(tag, sizeof tag, "%02x%02x%02x%02x", digest[0], digest[1], digest[2], digest[3]);
        return std::string("[masked:") + rule + "#" + tag + "]";
    }

    /// `where` is the JSON pointer of the string, or empty for a text (places are then lines).
    [[nodiscard]] std::string text(std::string_view raw, const std::string& where, std::vector<Mask>& masks) const {
        const std::string shown = visibleText(raw);
        Spans spans;
        scanSecrets(shown, spans);
        for (const Span& span : spans) {
            const std::string_view value = std::string_view(shown).substr(span.begin, span.end - span.begin);
            if (span.learn && worthLearning(value, false))
                known.learn(value);
        }
        known.find(shown, spans);
        if (options.personalData)
            scanPersonal(shown, spans);
        return apply(shown, std::move(spans), where, masks);
    }

    [[nodiscard]] std::string apply(std::string_view shown, Spans spans, const std::string& where,
                                    std::vector<Mask>& masks) const {
        if (spans.empty())
            return std::string(shown);
        std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
            return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
        });
        const Spans earlier = masksIn(shown);
        std::string out;
        out.reserve(shown.size());
        std::size_t at = 0, line = 1, passed = 0;
        const auto replace = [&](Span span) {
            span.begin = std::max(span.begin, at);
            span.end = std::min(span.end, shown.size());
            if (span.begin >= span.end)
                return;
            const std::string_view value = shown.substr(span.begin, span.end - span.begin);
            if (std::none_of(value.begin(), value.end(), isAlnum))
                return;
            const std::string_view before = shown.substr(at, span.begin - at);
            line += static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
            out += before;
            out += mask(span.rule, value);
            masks.push_back({span.rule, where.empty() ? "line " + std::to_string(line) : where});
            const auto lines = static_cast<std::size_t>(std::count(value.begin(), value.end(), '\n'));
            out.append(lines, '\n');
            line += lines;
            at = span.end;
        };
        for (std::size_t i = 0; i < spans.size();) {
            Span span = spans[i++];
            while (i < spans.size() && spans[i].begin < span.end)
                span.end = std::max(span.end, spans[i++].end);
            // What an earlier pass masked stays as it is: the second pass at the boundary must not change tags.
            while (passed < earlier.size() && earlier[passed].end <= span.begin)
                ++passed;
            for (std::size_t m = passed; m < earlier.size() && earlier[m].begin < span.end; ++m) {
                replace({span.begin, earlier[m].begin, span.rule, false});
                span.begin = earlier[m].end;
            }
            replace(span);
        }
        out += shown.substr(at);
        return out;
    }

    [[nodiscard]] static Spans masksIn(std::string_view text) {
        Spans found;
        for (std::size_t at = text.find("[masked:"); at != std::string_view::npos; at = text.find("[masked:", at + 1)) {
            const std::size_t close = text.substr(at, 64).find(']');
            if (close != std::string_view::npos && isMask(text.substr(at, close + 1)))
                found.push_back({at, at + close + 1, "", false});
        }
        return found;
    }

    // --- objects ---

    /// First pass: what the structure says is secret, so that it is masked wherever else it stands, also before.
    void learnFrom(const json& value, std::string_view key, bool secretItem, int depth) const {
        if (depth > deepest)
            return;
        if (value.is_object()) {
            const bool secret = secretItem || isSecretKind(value);
            const std::string* name = stringIn(value, "name");
            const std::string* pairValue = stringIn(value, "value");
            if (name && pairValue && isSecretValue(*name, sensitivityOf(*name), *pairValue) &&
                worthLearning(*pairValue, true))
                known.learn(*pairValue);
            for (const auto& [k, v] : value.items()) {
                if (secret && (k == "data" || k == "stringData") && v.is_object()) {
                    learnSecret(v, k == "data");
                    continue;
                }
                learnFrom(v, k, isSecretList(value) && k == "items", depth + 1);
            }
        } else if (value.is_array()) {
            for (const json& v : value)
                learnFrom(v, key, secretItem, depth + 1);
        } else if (value.is_string()) {
            const std::string& text = value.get_ref<const std::string&>();
            if (isSecretValue(key, sensitivityOf(key), text) && worthLearning(text, true))
                known.learn(text);
            if (text.size() > 8 && text.size() < 1024UL * 1024 && (text.front() == '{' || text.front() == '[')) {
                const json inner = json::parse(text, nullptr, false);
                if (inner.is_structured())
                    learnFrom(inner, {}, false, depth + 16);
            }
        }
    }
    void learnSecret(const json& data, bool encoded) const {
        for (const auto& [k, v] : data.items()) {
            if (!v.is_string())
                continue;
            const std::string& text = v.get_ref<const std::string&>();
            std::string plain = text;
            if (encoded) {
                if (auto decoded = decodeBase64(text))
                    plain = std::move(*decoded);
                if (text.size() >= 12 && looksRandom(text))
                    known.learn(text);
            }
            if (plain.find("BEGIN CERTIFICATE") != std::string::npos)
                continue;
            if (worthLearning(plain, sensitivityOf(k) == Sensitivity::Strong))
                known.learn(plain);
        }
    }

    void maskWhole(json& value, const char* rule, const std::string& where, std::vector<Mask>& masks,
                   bool encoded = false) const {
        if (value.is_string()) {
            const std::string& text = value.get_ref<const std::string&>();
            if (text.empty() || isMask(text))
                return;
            // The clear value decides the tag, so that a Secret's entry equals the same password elsewhere.
            const std::optional<std::string> clear = encoded ? decodeBase64(text) : std::nullopt;
            value = mask(rule, clear && !clear->empty() ? *clear : text);
        } else if (value.is_number()) {
            value = mask(rule, value.dump());
        } else {
            return;
        }
        masks.push_back({rule, where});
    }

    void walk(json& value, std::string_view key, const std::string& where, bool secretItem, std::string_view program,
              int depth, std::vector<Mask>& masks) const {
        if (depth > deepest) {
            value = mask("too-deep", where);
            masks.push_back({"too-deep", where});
            return;
        }
        if (value.is_object())
            walkObject(value, where, secretItem, program, depth, masks);
        else if (value.is_array())
            walkArray(value, key, where, secretItem, program, depth, masks);
        else
            leaf(value, key, where, masks);
    }

    void leaf(json& value, std::string_view key, const std::string& where, std::vector<Mask>& masks) const {
        const Sensitivity sensitivity = sensitivityOf(key);
        if (value.is_number() && sensitivity == Sensitivity::Strong) {
            maskWhole(value, "key", where, masks);
        } else if (value.is_string()) {
            const std::string& text = value.get_ref<const std::string&>();
            if (key == lastApplied)
                maskWhole(value, "last-applied", where, masks);
            else if (isSecretValue(key, sensitivity, text) && !isText(text))
                maskWhole(value, "key", where, masks);
            else
                value = this->text(text, where, masks);
        }
    }
    /// Several words below a telling key are prose to be looked through, unless the key says password.
    [[nodiscard]] static bool isText(std::string_view value) {
        return value.find(' ') != std::string_view::npos && value.size() > 64 &&
               value.find('\n') == std::string_view::npos;
    }

    void walkObject(json& object, const std::string& where, bool secretItem, std::string_view program, int depth,
                    std::vector<Mask>& masks) const {
        const bool secret = secretItem || isSecretKind(object);
        const bool secretItems = isSecretList(object);
        const std::string own = programOf(object);
        const std::string_view runs = own.empty() ? program : std::string_view(own);
        const std::string* name = stringIn(object, "name");
        const std::string pairName = name ? *name : std::string();
        json cleaned = json::object();
        for (auto& [k, v] : object.items()) {
            const std::string place = pointerTo(where, k);
            if (secret && (k == "data" || k == "stringData") && v.is_object()) {
                for (auto& [entry, content] : v.items())
                    maskWhole(content, "secret-data", pointerTo(place, entry), masks, k == "data");
            } else if (k == "value" && !pairName.empty() && v.is_string() &&
                       isSecretValue(pairName, sensitivityOf(pairName), v.get_ref<const std::string&>())) {
                maskWhole(v, "env", place, masks);
            } else {
                walk(v, k, place, secretItems && k == "items", runs, depth + 1, masks);
            }
            std::vector<Mask> inKey;
            std::string shownKey = text(k, place, inKey);
            masks.insert(masks.end(), inKey.begin(), inKey.end());
            cleaned[std::move(shownKey)] = std::move(v);
        }
        object = std::move(cleaned);
    }

    void walkArray(json& array, std::string_view key, const std::string& where, bool secretItem,
                   std::string_view program, int depth, std::vector<Mask>& masks) const {
        bool nextIsSecret = false;
        for (std::size_t i = 0; i < array.size(); ++i) {
            json& v = array[i];
            const std::string place = where + "/" + std::to_string(i);
            if (!v.is_string()) {
                nextIsSecret = false;
                walk(v, key, place, secretItem, program, depth + 1, masks);
                continue;
            }
            const std::string word = v.get<std::string>();
            if (nextIsSecret && !word.empty() && word.front() != '-' && !isHarmless(word)) {
                if (worthLearning(word, true))
                    known.learn(word);
                maskWhole(v, "argument", place, masks);
                nextIsSecret = false;
                continue;
            }
            nextIsSecret =
                (word.size() > 4 && word.compare(0, 2, "--") == 0 && word.find_first_of("= ") == std::string::npos &&
                 sensitivityOf(word) == Sensitivity::Strong) ||
                isPasswordFlag(program, word);
            if (word.size() > 2 && word.compare(0, 2, "-p") == 0 && word[2] != '-' && isPasswordFlag(program, "-p")) {
                maskWhole(v, "argument", place, masks);
                continue;
            }
            leaf(v, key, place, masks);
        }
    }
};

Redactor::Redactor() : Redactor(Options{}) {}
Redactor::Redactor(Options options) : impl_(std::make_unique<Impl>(options)) {}
Redactor::~Redactor() = default;
Redactor::Redactor(Redactor&&) noexcept = default;
Redactor& Redactor::operator=(Redactor&&) noexcept = default;

Redacted<std::string> Redactor::text(const Raw<LogText>& raw) const {
    std::vector<Mask> masks;
    std::string out = impl_->text(raw.value().text, {}, masks);
    return {std::move(out), std::move(masks)};
}

Redacted<std::string> Redactor::text(const Raw<std::string>& raw) const {
    std::vector<Mask> masks;
    std::string out = impl_->text(raw.value(), {}, masks);
    return {std::move(out), std::move(masks)};
}

Redacted<json> Redactor::object(const Raw<json>& raw) const {
    impl_->learnFrom(raw.value(), {}, false, 0);
    std::vector<Mask> masks;
    json out = raw.value();
    const std::size_t before = impl_->known.size();
    impl_->walk(out, {}, "", false, {}, 0, masks);
    if (impl_->known.size() != before) {
        // Something was learnt on the way that may stand in what had been passed already.
        masks.clear();
        out = raw.value();
        impl_->walk(out, {}, "", false, {}, 0, masks);
    }
    return {std::move(out), std::move(masks)};
}

Redacted<std::string> Redactor::serialise(const Redacted<json>& object) {
    return {object.value().dump(2, ' ', false, json::error_handler_t::replace), object.masks()};
}

void Redactor::learn(std::string_view secretValue) const {
    impl_->known.learn(secretValue);
}

Bounded<std::string> bound(Redacted<std::string> text, std::size_t maxBytes) {
    const std::string& whole = text.value();
    if (whole.size() <= maxBytes)
        return {whole, false};
    constexpr std::size_t noteBytes = 48;
    const bool withNote = maxBytes > 2 * noteBytes;
    std::size_t cut = utf8::floorBoundary(whole, withNote ? maxBytes - noteBytes : maxBytes);
    // A line boundary, unless that would lose more than half.
    if (const std::size_t newline = cut == 0 ? std::string::npos : whole.rfind('\n', cut - 1);
        newline != std::string::npos && newline + 1 > cut / 2)
        cut = newline + 1;
    std::string out = whole.substr(0, cut);
    if (withNote) {
        if (!out.empty() && out.back() != '\n')
            out += '\n';
        out += "\u2026 " + std::to_string(whole.size() - cut) + " bytes more";
    }
    return {std::move(out), true};
}

} // namespace alidade::guard
