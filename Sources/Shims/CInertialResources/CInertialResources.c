#include "CInertialResources.h"

// Known to clang in every language standard.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define EMBEDDED(name)                                           \
  embedded_file embedded_##name(void) {                          \
    const embedded_file file = {name, sizeof name / sizeof *name}; \
    return file;                                                 \
  }

static const unsigned char activity_model[] = {
#embed "Data/activity-model.json"
};
EMBEDDED(activity_model)

static const unsigned char wmm_2015v2[] = {
#embed "Data/WMM_2015v2.COF"
};
EMBEDDED(wmm_2015v2)

static const unsigned char wmm_2020[] = {
#embed "Data/WMM_2020.COF"
};
EMBEDDED(wmm_2020)

static const unsigned char wmm_2025[] = {
#embed "Data/WMM_2025.COF"
};
EMBEDDED(wmm_2025)

static const unsigned char page_dom[] = {
#embed "Data/Page/dom.js"
};
EMBEDDED(page_dom)

static const unsigned char page_format[] = {
#embed "Data/Page/format.js"
};
EMBEDDED(page_format)

static const unsigned char page_theme[] = {
#embed "Data/Page/theme.js"
};
EMBEDDED(page_theme)

static const unsigned char page_codec[] = {
#embed "Data/Page/codec.js"
};
EMBEDDED(page_codec)

static const unsigned char page_store[] = {
#embed "Data/Page/store.js"
};
EMBEDDED(page_store)

static const unsigned char page_save[] = {
#embed "Data/Page/save.js"
};
EMBEDDED(page_save)

static const unsigned char page_spectrum[] = {
#embed "Data/Page/spectrum.js"
};
EMBEDDED(page_spectrum)

static const unsigned char page_coverage[] = {
#embed "Data/Page/coverage.js"
};
EMBEDDED(page_coverage)

static const unsigned char page_view[] = {
#embed "Data/Page/view.js"
};
EMBEDDED(page_view)

static const unsigned char page_pointer[] = {
#embed "Data/Page/pointer.js"
};
EMBEDDED(page_pointer)

static const unsigned char page_walk[] = {
#embed "Data/Page/walk.js"
};
EMBEDDED(page_walk)

static const unsigned char page_timeplot[] = {
#embed "Data/Page/timeplot.js"
};
EMBEDDED(page_timeplot)

static const unsigned char page_lanes[] = {
#embed "Data/Page/lanes.js"
};
EMBEDDED(page_lanes)

static const unsigned char page_curves[] = {
#embed "Data/Page/curves.js"
};
EMBEDDED(page_curves)

static const unsigned char page_map[] = {
#embed "Data/Page/map.js"
};
EMBEDDED(page_map)

static const unsigned char page_scene[] = {
#embed "Data/Page/scene.js"
};
EMBEDDED(page_scene)

static const unsigned char page_device[] = {
#embed "Data/Page/device.js"
};
EMBEDDED(page_device)

static const unsigned char page_player[] = {
#embed "Data/Page/player.js"
};
EMBEDDED(page_player)

static const unsigned char page_table[] = {
#embed "Data/Page/table.js"
};
EMBEDDED(page_table)

static const unsigned char page_keys[] = {
#embed "Data/Page/keys.js"
};
EMBEDDED(page_keys)

static const unsigned char page_report[] = {
#embed "Data/Page/report.js"
};
EMBEDDED(page_report)

static const unsigned char page_overview[] = {
#embed "Data/Page/overview.js"
};
EMBEDDED(page_overview)

static const unsigned char page_frames[] = {
#embed "Data/Page/frames.js"
};
EMBEDDED(page_frames)

static const unsigned char page_livestore[] = {
#embed "Data/Page/livestore.js"
};
EMBEDDED(page_livestore)

static const unsigned char page_livedevice[] = {
#embed "Data/Page/livedevice.js"
};
EMBEDDED(page_livedevice)

static const unsigned char page_live[] = {
#embed "Data/Page/live.js"
};
EMBEDDED(page_live)

static const unsigned char page_livestyle[] = {
#embed "Data/Page/live.css"
};
EMBEDDED(page_livestyle)

static const unsigned char page_style[] = {
#embed "Data/Page/style.css"
};
EMBEDDED(page_style)

static const unsigned char plot_font[] = {
#embed "Data/PlotFont.ttf"
};
EMBEDDED(plot_font)
