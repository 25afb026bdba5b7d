# SPDX-License-Identifier: GPL-3.0-or-later
# The edge table: which layer lives where and what it may link, first-party and third-party. Nothing else is permitted;
# alidade_layer(), the deferred comparison and the include lint all read this file.
#
# alidade_edges(<target> <folder> [DESKTOP] PUBLIC <targets...> PRIVATE <targets...>)
#   PUBLIC   named by the layer's public headers, so its users see those headers too
#   PRIVATE  an implementation matter
#   DESKTOP  exists only where Qt Gui, Widgets and Charts are there

alidade_edges(alidade_guard lib/guard
    PUBLIC nlohmann_json::nlohmann_json tl::expected
    PRIVATE OpenSSL::Crypto)
alidade_edges(alidade_http lib/cluster/http
    PUBLIC alidade_guard
    PRIVATE Qt6::Core Qt6::Network Boost::headers ZLIB::ZLIB OpenSSL::Crypto)
alidade_edges(alidade_cluster_model lib/cluster/model
    PUBLIC alidade_guard)
alidade_edges(alidade_cluster lib/cluster
    PUBLIC alidade_cluster_model alidade_http alidade_guard
    PRIVATE Qt6::Core Qt6::Network Qt6::WebSockets yaml-cpp::yaml-cpp simdjson::simdjson)
alidade_edges(alidade_cluster_writer lib/cluster/writer
    PUBLIC alidade_cluster alidade_cluster_model alidade_http alidade_guard)
alidade_edges(alidade_simulator lib/cluster/simulator
    PUBLIC alidade_cluster_model alidade_http alidade_guard
    PRIVATE yaml-cpp::yaml-cpp)
alidade_edges(alidade_agent lib/agent
    PUBLIC alidade_cluster_model alidade_http alidade_guard
    PRIVATE yaml-cpp::yaml-cpp)
alidade_edges(alidade_drill lib/agent/drill
    PUBLIC alidade_agent alidade_simulator alidade_cluster_model alidade_guard)
alidade_edges(alidade_models app/models DESKTOP
    PUBLIC alidade_cluster_model alidade_agent alidade_guard Qt6::Core Qt6::Gui)
alidade_edges(alidade_ui app/ui DESKTOP
    PUBLIC alidade_models alidade_agent alidade_cluster_model alidade_guard Qt6::Widgets Qt6::Charts Qt6::Svg
    PRIVATE QScintilla::QScintilla VTerm::VTerm)
alidade_edges(alidade_keyring app/keyring
    PUBLIC alidade_guard
    PRIVATE QtKeychain::QtKeychain)
alidade_edges(alidade_wiring app/wiring
    PUBLIC alidade_guard alidade_http alidade_cluster_model alidade_cluster alidade_cluster_writer alidade_simulator
           alidade_agent alidade_drill alidade_keyring Qt6::Core Qt6::Network Qt6::Sql
    PRIVATE yaml-cpp::yaml-cpp)
alidade_edges(alidade app/desktop DESKTOP
    PRIVATE alidade_guard alidade_http alidade_cluster_model alidade_cluster alidade_cluster_writer alidade_simulator
            alidade_agent alidade_drill alidade_models alidade_ui alidade_keyring alidade_wiring
            Qt6::Core Qt6::Network Qt6::Gui Qt6::Widgets Qt6::Charts Qt6::Svg)
alidade_edges(alidadectl app/headless
    PRIVATE alidade_guard alidade_http alidade_cluster_model alidade_cluster alidade_cluster_writer alidade_simulator
            alidade_agent alidade_drill alidade_keyring alidade_wiring
            Qt6::Core Qt6::Network)
