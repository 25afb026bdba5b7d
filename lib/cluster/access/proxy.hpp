// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: which proxy a server is reached through: proxy-url, else the environment by Go's rules
// (golang.org/x/net/http/httpproxy), as kubectl has it.
// What it must not know: credentials of the cluster.
// Thread: any.
#pragma once

#include "alidade/guard/result.hpp"
#include "alidade/http/client.hpp"
#include "alidade/http/message.hpp"

#include <map>
#include <string>
#include <string_view>

namespace alidade::cluster {

/// `proxyUrl` is the cluster entry's; empty: HTTPS_PROXY or HTTP_PROXY unless NO_PROXY exempts the host. `where` names
/// the entry or variable in errors. An https:// proxy is refused by name.
[[nodiscard]] guard::Result<http::Proxy> proxyFor(const http::Url& server, const std::string& proxyUrl,
                                                  const std::map<std::string, std::string>& environment,
                                                  const std::string& where);

/// NO_PROXY: "*", host names and their subdomains, ".domain" for subdomains alone, addresses, CIDR blocks, each with an
/// optional port where Go allows one. Loopback and "localhost" are always exempt.
[[nodiscard]] bool exemptFromProxy(std::string_view noProxy, const std::string& host, int port);

} // namespace alidade::cluster
