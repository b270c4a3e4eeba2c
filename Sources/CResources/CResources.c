#include "CResources.h"

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

static const unsigned char plot_font[] = {
#embed "Data/PlotFont.ttf"
};
EMBEDDED(plot_font)
