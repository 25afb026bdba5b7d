// SPDX-License-Identifier: GPL-3.0-or-later
// What all kinds share: metadata, conditions, selectors, pod templates.
#include <algorithm>
#include <cstring>

#include "alidade/guard/clock.hpp"
#include "alidade/guard/settings.hpp"
#include "decode_kinds.hpp"

namespace alidade::cluster::decode {
namespace {

constexpr std::size_t kMaxTroubleBytes = 400;

void ownerReference(json::Reader& in, ondemand::value& value, RowBuilder& row) {
    std::string_view kind, name, uid;
    bool controller = false;
    in.fields(value, [&](const auto& key, ondemand::value& part) {
        if (json::is(key, "kind")) {
            kind = in.text(part);
        } else if (json::is(key, "name")) {
            name = in.text(part);
        } else if (json::is(key, "uid")) {
            uid = in.text(part);
        } else if (json::is(key, "controller")) {
            controller = in.boolean(part);
        }
    });
    if (controller) {
        row.owner(kind, name, uid);
    }
}

void annotation(json::Reader& in, const ondemand::raw_json_string& key, ondemand::value& value, RowBuilder& row,
                Meta& meta) {
    static_assert(guard::protectedAnnotation == "alidade.dev/protected");
    if (json::is(key, "alidade.dev/protected")) {
        row.isProtected(in.text(value) == "true");
    } else if (json::is(key, "k8s.io/initial-events-end")) {
        meta.initialEventsEnd = in.text(value) == "true";
    }
}

/// The key as text. Label keys hold no escapes; should one, it is shown as it came.
std::string_view rawKey(const ondemand::raw_json_string& key) {
    const char* const from = key.raw();
    return {from, static_cast<std::size_t>(std::strchr(from, '"') - from)};
}

} // namespace

std::int64_t timeNs(std::string_view rfc3339) noexcept {
    if (rfc3339.empty()) {
        return 0;
    }
    const auto time = guard::parseRfc3339(rfc3339);
    return time ? time->time_since_epoch().count() : 0;
}

void metadata(json::Reader& in, ondemand::value& value, RowBuilder& row, Meta& meta) {
    in.fields(value, [&](const auto& key, ondemand::value& part) {
        switch (key.raw()[0]) {
        case 'n':
            if (json::is(key, "name")) {
                row.name(in.text(part));
            } else if (json::is(key, "namespace")) {
                row.ns(in.text(part));
            }
            break;
        case 'u':
            if (json::is(key, "uid")) {
                row.uid(in.text(part));
            }
            break;
        case 'r':
            if (json::is(key, "resourceVersion")) {
                row.resourceVersion(in.text(part));
            }
            break;
        case 'c':
            if (json::is(key, "creationTimestamp")) {
                row.created(timeNs(in.text(part)));
            }
            break;
        case 'd':
            if (json::is(key, "deletionTimestamp")) {
                row.deleting(!in.isNull(part));
            }
            break;
        case 'g':
            if (json::is(key, "generation")) {
                meta.generation = in.integer(part);
            }
            break;
        case 'l':
            if (json::is(key, "labels")) {
                in.fields(part, [&](const auto& name, ondemand::value& text) {
                    const std::string_view labelName = rawKey(name);
                    row.label(labelName, in.text(text));
                });
            }
            break;
        case 'a':
            if (json::is(key, "annotations")) {
                in.fields(part, [&](const auto& name, ondemand::value& text) { annotation(in, name, text, row, meta); });
            }
            break;
        case 'o':
            if (json::is(key, "ownerReferences")) {
                in.items(part, [&](ondemand::value& item) { ownerReference(in, item, row); });
            }
            break;
        default: break; // managedFields and the rest are skipped, not kept
        }
    });
}

void conditions(json::Reader& in, ondemand::value& value, Conditions& out) {
    in.items(value, [&](ondemand::value& item) {
        Condition& condition = out.emplace_back();
        in.fields(item, [&](const auto& key, ondemand::value& part) {
            if (json::is(key, "type")) {
                condition.type = in.text(part);
            } else if (json::is(key, "status")) {
                condition.status = in.text(part);
            } else if (json::is(key, "reason")) {
                condition.reason = in.text(part);
            } else if (json::is(key, "message")) {
                condition.message = in.text(part);
            }
        });
    });
}

const Condition* find(const Conditions& conditions, std::string_view type) noexcept {
    const auto found = std::find_if(conditions.begin(), conditions.end(),
                                    [type](const Condition& condition) { return condition.type == type; });
    return found == conditions.end() ? nullptr : &*found;
}

void trouble(RowBuilder& row, Health health, std::string_view reason, std::string_view message) {
    row.health(health);
    std::string text(reason);
    if (!message.empty()) {
        text.append(text.empty() ? "" : ": ").append(message);
    }
    if (text.size() > kMaxTroubleBytes) {
        std::size_t end = kMaxTroubleBytes;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
        text.resize(end);
        text += "…";
    }
    row.trouble(text);
}

void podTemplate(json::Reader& in, ondemand::value& value, Template& out) {
    in.fields(value, [&](const auto& key, ondemand::value& spec) {
        if (!json::is(key, "spec")) {
            return;
        }
        in.fields(spec, [&](const auto& part, ondemand::value& containers) {
            if (!json::is(part, "containers")) {
                return;
            }
            in.items(containers, [&](ondemand::value& container) {
                std::string_view name, image;
                in.fields(container, [&](const auto& field, ondemand::value& text) {
                    if (json::is(field, "name")) {
                        name = in.text(text);
                    } else if (json::is(field, "image")) {
                        image = in.text(text);
                    }
                });
                const char* const comma = out.containers.empty() && out.images.empty() ? "" : ",";
                out.containers.append(comma).append(name);
                out.images.append(comma).append(image);
            });
        });
    });
}

void labelMap(json::Reader& in, ondemand::value& value, std::string& out) {
    std::vector<std::string> pairs;
    in.fields(value, [&](const auto& key, ondemand::value& text) {
        std::string pair(rawKey(key));
        pairs.push_back(pair.append("=").append(in.text(text)));
    });
    std::sort(pairs.begin(), pairs.end());
    for (const std::string& pair : pairs) out.append(out.empty() ? "" : ",").append(pair);
    if (out.empty()) {
        out = "<none>";
    }
}

void labelSelector(json::Reader& in, ondemand::value& value, std::string& out) {
    std::vector<std::string> parts;
    in.fields(value, [&](const auto& key, ondemand::value& part) {
        if (json::is(key, "matchLabels")) {
            in.fields(part, [&](const auto& name, ondemand::value& text) {
                std::string pair(rawKey(name));
                parts.push_back(pair.append("=").append(in.text(text)));
            });
        } else if (json::is(key, "matchExpressions")) {
            in.items(part, [&](ondemand::value& item) {
                std::string_view name, op;
                std::vector<std::string_view> values;
                in.fields(item, [&](const auto& field, ondemand::value& text) {
                    if (json::is(field, "key")) {
                        name = in.text(text);
                    } else if (json::is(field, "operator")) {
                        op = in.text(text);
                    } else if (json::is(field, "values")) {
                        in.items(text, [&](ondemand::value& one) { values.push_back(in.text(one)); });
                    }
                });
                std::sort(values.begin(), values.end());
                std::string list;
                for (const std::string_view one : values) list.append(list.empty() ? "" : ",").append(one);
                std::string text(name);
                if (op == "Exists") {
                    parts.push_back(text);
                } else if (op == "DoesNotExist") {
                    parts.push_back("!" + text);
                } else if (op == "In" || op == "NotIn") {
                    parts.push_back(text.append(op == "In" ? " in (" : " notin (").append(list).append(")"));
                }
            });
        }
    });
    std::sort(parts.begin(), parts.end());
    for (const std::string& part : parts) out.append(out.empty() ? "" : ",").append(part);
    if (out.empty()) {
        out = "<none>";
    }
}

} // namespace alidade::cluster::decode
