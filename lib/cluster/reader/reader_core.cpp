// SPDX-License-Identifier: GPL-3.0-or-later
#include "reader/reader_core.hpp"

#include "reader/json_fields.hpp"
#include "reader/paths.hpp"

#include <utility>

namespace alidade::cluster {
namespace {

using guard::Coverage;
using guard::ErrorCode;
using guard::Gap;
using nlohmann::json;

constexpr std::size_t kPage = 500;
constexpr guard::Millis kReadLimit{60'000};
constexpr std::size_t kMaxReason = 512;

Result<json> parsed(const Transport& transport, const std::string& where, const Result<http::Response>& response) {
    if (!response) {
        return tl::unexpected(response.error());
    }
    json value = json::parse(response->body, nullptr, false);
    if (!value.is_object()) {
        return tl::unexpected(transport.misread(where, "the answer is not a JSON object"));
    }
    return value;
}

std::string scopeText(const ListQuery& request) {
    std::string text = request.kind.resource;
    if (request.kind.namespaced) {
        text += request.scope.ns.empty() ? " in all namespaces" : " in " + request.scope.ns;
    }
    if (!request.scope.labelSelector.empty()) {
        text += " with " + request.scope.labelSelector;
    }
    if (!request.scope.fieldSelector.empty()) {
        text += " with " + request.scope.fieldSelector;
    }
    return text;
}

} // namespace

guard::Gap gapOf(std::string source, const guard::Error& error) {
    return Gap{std::move(source), guard::coverageOf(error.code), guard::validUtf8(error.detail.substr(0, kMaxReason))};
}

ReaderCore::ReaderCore(std::shared_ptr<Transport> transport, std::shared_ptr<const guard::Clock> clock)
    : transport_(std::move(transport)), clock_(std::move(clock)) {}

void ReaderCore::forget(std::uint64_t id) {
    // Not inside the call's own callback.
    io().post([weak = weak_from_this(), id] {
        if (const auto self = weak.lock()) {
            self->calls_.erase(id);
        }
    });
}

void ReaderCore::fetch(http::Request request, std::function<void(Result<http::Response>)> done) {
    attempt(std::move(request), true, std::move(done));
}

void ReaderCore::attempt(http::Request request, bool again, std::function<void(Result<http::Response>)> done) {
    const std::uint64_t id = next_++;
    http::CallOptions options;
    options.deadline = kReadLimit;
    http::Request copy = request;
    calls_[id] = transport_->fetch(
        std::move(copy), options,
        [this, id, again, request = std::move(request), done = std::move(done)](Result<http::Response> result,
                                                                                bool) mutable {
            forget(id);
            if (result || !again || result.error().code != ErrorCode::NeedsLogin) {
                done(std::move(result));
                return;
            }
            transport_->refresh([weak = weak_from_this(), request = std::move(request), done = std::move(done),
                                 refused = std::move(result)](const Result<void>& refreshed) mutable {
                if (const auto self = weak.lock()) {
                    if (refreshed) {
                        self->attempt(std::move(request), false, std::move(done));
                    } else {
                        done(tl::unexpected(refreshed.error()));
                    }
                }
            });
        });
}

void ReaderCore::getJson(std::string target, JsonDone done, std::string accept) {
    http::Request request;
    request.target = std::move(target);
    if (!accept.empty()) {
        request.headers.set("Accept", std::move(accept));
    }
    const std::string where = "GET " + request.target.substr(0, request.target.find('?'));
    fetch(std::move(request),
          [this, where, done = std::move(done)](const Result<http::Response>& response) {
              done(parsed(*transport_, where, response));
          });
}

void ReaderCore::postJson(std::string target, const json& body, JsonDone done) {
    http::Request request;
    request.method = "POST";
    request.target = std::move(target);
    request.headers.set("Content-Type", "application/json");
    request.body = body.dump(-1, ' ', false, json::error_handler_t::replace);
    const std::string where = "POST " + request.target;
    fetch(std::move(request),
          [this, where, done = std::move(done)](const Result<http::Response>& response) {
              done(parsed(*transport_, where, response));
          });
}

void ReaderCore::getObject(const ObjectKey& key, JsonDone done) {
    auto path = objectPath(key);
    if (!path) {
        done(tl::unexpected(path.error()));
        return;
    }
    getJson(std::move(*path), std::move(done));
}

struct ReaderCore::Listing {
    ListQuery request;
    std::string path;
    std::string scope;
    std::string next;
    Objects objects;
    std::vector<Gap> gaps;
    ObjectsDone done;
};

void ReaderCore::list(ListQuery request, ObjectsDone done) {
    auto path = listPath(request.kind, request.scope.ns);
    if (!path) {
        done(tl::unexpected(path.error()));
        return;
    }
    auto listing = std::make_shared<Listing>();
    listing->scope = scopeText(request);
    listing->request = std::move(request);
    listing->path = std::move(*path);
    listing->done = std::move(done);
    nextPage(std::move(listing));
}

void ReaderCore::nextPage(std::shared_ptr<Listing> listing) {
    const ListQuery& request = listing->request;
    const std::size_t page = std::min(kPage, request.limit - listing->objects.size());
    std::string target = listing->path + queryText({{"labelSelector", request.scope.labelSelector},
                                                    {"fieldSelector", request.scope.fieldSelector},
                                                    {"limit", std::to_string(page)},
                                                    {"continue", listing->next}});
    const std::string accept =
        request.metadataOnly ? "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json" : "";
    getJson(
        std::move(target),
        [this, listing = std::move(listing)](Result<json> answer) { takePage(listing, std::move(answer)); }, accept);
}

void ReaderCore::takePage(const std::shared_ptr<Listing>& listing, Result<json> page) {
    if (!page) {
        if (listing->objects.empty()) {
            listing->done(tl::unexpected(page.error()));
            return;
        }
        Gap gap = gapOf(listing->scope, page.error());
        gap.coverage = Coverage::Partial;
        gap.reason = std::to_string(listing->objects.size()) + " read, then: " + gap.reason;
        listing->gaps.push_back(std::move(gap));
        finishList(listing);
        return;
    }
    const KindId& kind = listing->request.kind;
    if (auto items = page->find("items"); items != page->end() && items->is_array()) {
        for (json& item : *items) {
            if (!item.is_object() || listing->objects.size() >= listing->request.limit) {
                continue;
            }
            if (listing->request.metadataOnly) {
                for (const char* secret : {"data", "stringData", "binaryData"}) {
                    item.erase(secret); // a server that does not know the form sends the whole object
                }
            }
            item["apiVersion"] = kind.apiVersion();
            item["kind"] = kind.kind;
            listing->objects.push_back(std::move(item));
        }
    } else if (items == page->end() || !items->is_null()) {
        listing->done(guard::fail(ErrorCode::Protocol, "GET " + listing->path, "the answer is not a list"));
        return;
    }
    const json& meta = child(*page, "metadata");
    listing->next = textOf(meta, "continue");
    if (listing->next.empty()) {
        finishList(listing);
        return;
    }
    if (listing->objects.size() < listing->request.limit) {
        nextPage(listing);
        return;
    }
    const auto remaining = integerOf(meta, "remainingItemCount");
    listing->gaps.push_back(
        Gap{listing->scope, Coverage::Capped,
            "the first " + std::to_string(listing->objects.size()) + " of " +
                (remaining ? std::to_string(*remaining + static_cast<std::int64_t>(listing->objects.size()))
                           : std::string("more"))});
    finishList(listing);
}

void ReaderCore::finishList(const std::shared_ptr<Listing>& listing) {
    const std::string& ns = listing->request.scope.ns;
    const bool doubtful = listing->objects.empty() && listing->request.checkNamespace &&
                          listing->request.kind.namespaced && !ns.empty() &&
                          listing->request.scope.fieldSelector.empty();
    if (!doubtful) {
        listing->done(Answer<Objects>(std::move(listing->objects), listing->scope, std::move(listing->gaps)));
        return;
    }
    // A list in a namespace that does not exist is empty and a success.
    getObject(ObjectKey{guard::kinds::namespaces(), "", ns}, [listing, ns](const Result<json>& found) {
        if (!found && found.error().code == ErrorCode::NotFound) {
            guard::Error error = found.error();
            error.detail = "namespace \"" + ns + "\" not found";
            listing->done(tl::unexpected(std::move(error)));
            return;
        }
        if (!found) {
            Gap gap = gapOf("namespace " + ns, found.error());
            gap.reason = "could not be verified: " + gap.reason;
            listing->gaps.push_back(std::move(gap));
        }
        listing->done(Answer<Objects>(std::move(listing->objects), listing->scope, std::move(listing->gaps)));
    });
}

void ReaderCore::stream(std::string target, std::function<void(std::string_view)> take,
                        std::function<void(Result<void>)> done) {
    attemptStream(std::move(target), true, std::move(take), std::move(done));
}

void ReaderCore::attemptStream(std::string target, bool again, std::function<void(std::string_view)> take,
                               std::function<void(Result<void>)> done) {
    struct State {
        http::ResponseHead head;
        std::string refusal;
    };
    const auto state = std::make_shared<State>();
    const std::uint64_t id = next_++;
    http::Request request;
    request.target = target;
    request.headers.set("Accept", "*/*");
    http::CallOptions options;
    options.deadline = kReadLimit;
    const std::string where = "GET " + target.substr(0, target.find('?'));
    http::CallHandler handler;
    handler.head = [state](const http::ResponseHead& head) { state->head = head; };
    handler.body = [state, take](std::string_view bytes) {
        if (state->head.status >= 200 && state->head.status < 300) {
            take(bytes);
        } else if (state->refusal.size() < 64UL * 1024) {
            state->refusal.append(bytes);
        }
    };
    handler.done = [this, state, id, again, target = std::move(target), take, where,
                    done = std::move(done)](Result<void> ended) mutable {
        forget(id);
        if (!ended || (state->head.status >= 200 && state->head.status < 300)) {
            done(std::move(ended));
            return;
        }
        guard::Error error = transport_->refusal(where, state->head, state->refusal);
        if (!again || error.code != ErrorCode::NeedsLogin) {
            done(tl::unexpected(std::move(error)));
            return;
        }
        transport_->refresh([weak = weak_from_this(), target = std::move(target), take = std::move(take),
                             done = std::move(done)](const Result<void>& refreshed) mutable {
            if (const auto self = weak.lock()) {
                if (refreshed) {
                    self->attemptStream(std::move(target), false, std::move(take), std::move(done));
                } else {
                    done(tl::unexpected(refreshed.error()));
                }
            }
        });
    };
    calls_[id] = transport_->start(std::move(request), options, std::move(handler));
}

} // namespace alidade::cluster
