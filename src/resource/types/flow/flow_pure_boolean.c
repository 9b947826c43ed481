#include "resource/types/flow/flow_pure_private.h"

CT_FLOW_PURE(boolean_and, bool, ct_flow_bool(c, 0) && ct_flow_bool(c, 1))
CT_FLOW_PURE(boolean_equals, bool, ct_flow_bool(c, 0) == ct_flow_bool(c, 1))
CT_FLOW_PURE(boolean_not, bool, !ct_flow_bool(c, 0))
CT_FLOW_PURE(boolean_not_equal, bool, ct_flow_bool(c, 0) != ct_flow_bool(c, 1))
CT_FLOW_PURE(boolean_or, bool, ct_flow_bool(c, 0) || ct_flow_bool(c, 1))

static const ct_flow_function_row rows[] = {
    {"boolean_and", boolean_and}, {"boolean_equals", boolean_equals},
    {"boolean_not", boolean_not}, {"boolean_not_equal", boolean_not_equal},
    {"boolean_or", boolean_or},   {"boolean_xor", boolean_not_equal},
};

const ct_flow_pure_table ct_flow_pure_boolean = {rows, CT_COUNT_OF(rows)};
