// SPDX-License-Identifier: GPL-3.0-or-later
// kubectl's rows of services, endpoints, ingresses and policies.
#include <algorithm>

#include "api/tables/table.hpp"

namespace alidade::simulator {

namespace {

std::string number(const Json& value) { return value.is_number() ? std::to_string(integer(value)) : str(value); }

std::string servicePorts(const Json& service) {
    std::string out;
    for (const auto& port : items(at(service, {"spec", "ports"}))) {
        out += (out.empty() ? "" : ",") + number(at(port, "port"));
        if (integer(at(port, "nodePort")) > 0)
            out += ":" + number(at(port, "nodePort"));
        out += "/" + str(at(port, "protocol"), "TCP");
    }
    return orNone(out);
}

std::string externalIps(const Json& service) {
    const auto type = str(service, {"spec", "type"});
    std::string out;
    for (const auto& ip : items(at(service, {"spec", "externalIPs"})))
        out += (out.empty() ? "" : ",") + str(ip);
    if (type == "LoadBalancer") {
        for (const auto& ingress : items(at(service, {"status", "loadBalancer", "ingress"}))) {
            const auto address = str(at(ingress, "ip"), str(at(ingress, "hostname")));
            out += (out.empty() ? "" : ",") + address;
        }
        return out.empty() ? "<pending>" : out;
    }
    return type == "ExternalName" ? str(service, {"spec", "externalName"}) : orNone(out);
}

std::string endpointsText(const Json& endpoints) {
    std::vector<std::string> all;
    for (const auto& subset : items(at(endpoints, "subsets"))) {
        if (items(at(subset, "ports")).empty())
            for (const auto& address : items(at(subset, "addresses")))
                all.push_back(str(at(address, "ip")));
        for (const auto& port : items(at(subset, "ports")))
            for (const auto& address : items(at(subset, "addresses")))
                all.push_back(str(at(address, "ip")) + ":" + number(at(port, "port")));
    }
    std::string out;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, all.size()); ++i)
        out += (i ? "," : "") + all[i];
    if (all.size() > 3)
        out += " + " + std::to_string(all.size() - 3) + " more...";
    return orNone(out);
}

std::string first(const std::vector<std::string>& all, const char* none) {
    std::string out;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, all.size()); ++i)
        out += (i ? "," : "") + all[i];
    if (all.size() > 3)
        out += " + " + std::to_string(all.size() - 3) + " more...";
    return out.empty() ? none : out;
}

} // namespace

TableKind networkTable(const KindDef& kind) {
    const auto& r = kind.resource;
    if (r == "services")
        return {{{"Name"}, {"Type"}, {"Cluster-IP"}, {"External-IP"}, {"Port(s)"}, {"Age"}, {"Selector", "string", 1}},
                [](const Entry& e, WallTime now) -> Json {
                    const Json& d = e.doc();
                    return {e.name(),
                            str(d, {"spec", "type"}),
                            orNone(str(d, {"spec", "clusterIP"})),
                            externalIps(d),
                            servicePorts(d),
                            age(e, now),
                            labelText(at(d, {"spec", "selector"}))};
                }};
    if (r == "endpoints")
        return {{{"Name"}, {"Endpoints"}, {"Age"}}, [](const Entry& e, WallTime now) -> Json {
                    return {e.name(), endpointsText(e.doc()), age(e, now)};
                }};
    if (r == "endpointslices")
        return {{{"Name"}, {"AddressType"}, {"Ports"}, {"Endpoints"}, {"Age"}},
                [](const Entry& e, WallTime now) -> Json {
                    std::vector<std::string> ports;
                    std::vector<std::string> addresses;
                    for (const auto& port : items(at(e.doc(), "ports")))
                        ports.push_back(at(port, "port").is_null() ? "*" : number(at(port, "port")));
                    for (const auto& endpoint : items(at(e.doc(), "endpoints")))
                        for (const auto& address : items(at(endpoint, "addresses")))
                            addresses.push_back(str(address));
                    return {e.name(), str(at(e.doc(), "addressType")), first(ports, "<unset>"),
                            first(addresses, "<unset>"), age(e, now)};
                }};
    if (r == "ingresses")
        return {{{"Name"}, {"Class"}, {"Hosts"}, {"Address"}, {"Ports"}, {"Age"}},
                [](const Entry& e, WallTime now) -> Json {
                    const Json& d = e.doc();
                    std::vector<std::string> hosts;
                    for (const auto& rule : items(at(d, {"spec", "rules"})))
                        if (!str(at(rule, "host")).empty())
                            hosts.push_back(str(at(rule, "host")));
                    std::string address;
                    for (const auto& ingress : items(at(d, {"status", "loadBalancer", "ingress"})))
                        address += (address.empty() ? "" : ",") + str(at(ingress, "ip"), str(at(ingress, "hostname")));
                    return {e.name(),
                            orNone(str(d, {"spec", "ingressClassName"})),
                            first(hosts, "*"),
                            address,
                            items(at(d, {"spec", "tls"})).empty() ? "80" : "80, 443",
                            age(e, now)};
                }};
    if (r == "ingressclasses")
        return {{{"Name"}, {"Controller"}, {"Parameters"}, {"Age"}}, [](const Entry& e, WallTime now) -> Json {
                    return {e.name(), str(e.doc(), {"spec", "controller"}), "<none>", age(e, now)};
                }};
    if (r == "networkpolicies")
        return {{{"Name"}, {"Pod-Selector"}, {"Age"}}, [](const Entry& e, WallTime now) -> Json {
                    return {e.name(), selectorText(at(e.doc(), {"spec", "podSelector"})), age(e, now)};
                }};
    return {};
}

} // namespace alidade::simulator
