// SPDX-License-Identifier: GPL-3.0-or-later
#include "object_watch.hpp"

#include <utility>

namespace alidade::cluster {
namespace {

using nlohmann::json;

std::string text(const json& object, const char* part, const char* name) {
    const auto metadata = object.find(part);
    if (metadata == object.end() || !metadata->is_object()) {
        return {};
    }
    const auto value = metadata->find(name);
    return value != metadata->end() && value->is_string() ? value->get<std::string>() : std::string();
}

Source::Target target(const ObjectRef& ref, bool gzip) {
    return {ref.key.kind, {ref.key.ns, "", "metadata.name=" + ref.key.name}, gzip};
}

} // namespace

ObjectWatch::ObjectWatch(Loop loop, Transport& transport, ObjectRef ref, bool gzip, WatchMachine::Options options,
                         SourceEvents events, OnChange onChange)
    : ref_(std::move(ref)), onChange_(std::move(onChange)),
      source_(std::move(loop), transport, target(ref_, gzip), options, *this, std::move(events)) {}

void ObjectWatch::head(const ListHead&) {}

bool ObjectWatch::item(Padded document) {
    json object = json::parse(document.view(), nullptr, false);
    if (!object.is_object()) {
        return false;
    }
    object.emplace("kind", ref_.key.kind.kind); // a list's items leave these two out
    object.emplace("apiVersion", ref_.key.kind.apiVersion());
    if (text(object, "metadata", "name") == ref_.key.name) {
        found_ = std::make_shared<json>(std::move(object));
    }
    return true;
}

void ObjectWatch::commit() {
    if (found_) {
        show(std::move(*found_));
        found_.reset();
    } else {
        gone();
    }
}

bool ObjectWatch::line(Padded document, WatchLine& out) {
    out = WatchLine{};
    json line = json::parse(document.view(), nullptr, false);
    if (!line.is_object()) {
        return false;
    }
    const auto type = line.find("type");
    const auto object = line.find("object");
    if (type == line.end() || !type->is_string() || object == line.end() || !object->is_object()) {
        return true;
    }
    version_ = text(*object, "metadata", "resourceVersion");
    out.resourceVersion = version_;
    const auto& word = type->get_ref<const std::string&>();
    if (word == "ERROR") {
        out.type = WatchLine::Type::Error;
        status_ = object->dump(-1, ' ', false, json::error_handler_t::replace);
        out.status = status_;
    } else if (word == "BOOKMARK") {
        out.type = WatchLine::Type::Bookmark;
    } else if (text(*object, "metadata", "name") != ref_.key.name) {
        return true;
    } else if (word == "DELETED") {
        out.type = WatchLine::Type::Deleted;
        gone();
    } else if (word == "ADDED" || word == "MODIFIED") {
        out.type = WatchLine::Type::Modified;
        show(std::move(*object));
    }
    return true;
}

void ObjectWatch::show(json object) {
    const std::string uid = text(object, "metadata", "uid");
    if (!ref_.uid.empty() && uid != ref_.uid) {
        gone(); // the same name, another object
        return;
    }
    const std::string version = text(object, "metadata", "resourceVersion");
    std::string mark = uid + "/" + version;
    if (!version.empty() && mark == shown_ && !isGone_) {
        return;
    }
    shown_ = std::move(mark);
    isGone_ = false;
    onChange_(guard::Raw<json>(std::move(object)));
}

void ObjectWatch::gone() {
    if (std::exchange(isGone_, true)) {
        return;
    }
    onChange_(guard::fail(guard::ErrorCode::NotFound, ref_.key.text(), "it is not there any more"));
}

void ObjectWatch::changed(const Freshness& freshness) {
    const bool stopped =
        freshness.state == Freshness::State::Forbidden || freshness.state == Freshness::State::Failed;
    if (stopped && !stopped_ && freshness.error) {
        onChange_(tl::unexpected(*freshness.error));
    }
    stopped_ = stopped;
}

} // namespace alidade::cluster
