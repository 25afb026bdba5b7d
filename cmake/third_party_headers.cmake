# SPDX-License-Identifier: GPL-3.0-or-later
# Which header belongs to which third-party target, for the include lint. Qt's headers are found by their module folder.
#
# alidade_headers(<target> <regular expressions over the text between the angle brackets...>)
alidade_headers(nlohmann_json::nlohmann_json "^nlohmann/")
alidade_headers(tl::expected "^tl/expected\\.hpp$")
alidade_headers(OpenSSL::Crypto "^openssl/")
alidade_headers(Boost::headers "^boost/")
alidade_headers(ZLIB::ZLIB "^zlib\\.h$")
alidade_headers(yaml-cpp::yaml-cpp "^yaml-cpp/")
alidade_headers(simdjson::simdjson "^simdjson\\.h$")
alidade_headers(QScintilla::QScintilla "^Qsci/")
alidade_headers(VTerm::VTerm "^vterm(_keycodes)?\\.h$")
alidade_headers(QtKeychain::QtKeychain "^qt6keychain/")

# What a Qt module brings along: naming the first is naming the rest.
alidade_implies(Qt6::Gui Qt6::Core)
alidade_implies(Qt6::Widgets Qt6::Gui Qt6::Core)
alidade_implies(Qt6::Charts Qt6::Widgets Qt6::Gui Qt6::Core)
alidade_implies(Qt6::Svg Qt6::Gui Qt6::Core)
alidade_implies(Qt6::Network Qt6::Core)
alidade_implies(Qt6::WebSockets Qt6::Network Qt6::Core)
alidade_implies(Qt6::Sql Qt6::Core)
alidade_implies(QtKeychain::QtKeychain Qt6::Core)
alidade_implies(QScintilla::QScintilla Qt6::Widgets Qt6::Gui Qt6::Core)

# Headers of the C++ library carry no suffix; these are the C library's and the kernel's, open to every layer.
set(ALIDADE_SYSTEM_HEADERS
    "^immintrin\\.h$"
    "^[a-z_0-9]+$"
    "^c?(assert|ctype|errno|float|inttypes|limits|locale|math|signal|stdarg|stddef|stdint|stdio|stdlib|string|time|wchar)\\.h$"
    "^(dirent|fcntl|fnmatch|grp|libgen|poll|pthread|pwd|sched|spawn|syslog|termios|unistd|netdb|ifaddrs)\\.h$"
    "^(sys|arpa|net|netinet|linux)/[a-z_0-9/]+\\.h$")

# What a layer may not include although it belongs to everybody.
#   the guard: no sockets, no threads, and files only in the one place that keeps the ledger durable
alidade_refuse(alidade_guard "^(thread|future|fstream|netdb\\.h|netinet/.*|arpa/.*|sys/socket\\.h|sys/epoll\\.h)$")
alidade_refuse(alidade_guard "^(filesystem|fcntl\\.h|unistd\\.h|sys/stat\\.h|sys/file\\.h)$" EXCEPT "durable_file\\.cpp$")
