# SPDX-License-Identifier: GPL-3.0-or-later
alidade_edges(alidade_low lib/low)
alidade_edges(alidade_other lib/other PRIVATE ZLIB::ZLIB)
alidade_edges(alidade_mid lib/mid PUBLIC alidade_low)
alidade_edges(alidade_nested lib/mid/nested PUBLIC alidade_low)
