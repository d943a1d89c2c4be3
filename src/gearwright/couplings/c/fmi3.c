/* FMI 3.0 around the engine: co-simulation, and model exchange where the engine has states to give. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *Component, *State;
typedef uint32_t Reference;
typedef int Status;
typedef const char *String;
typedef const uint8_t *Binary;
typedef bool Clock;
typedef uint8_t Byte;
typedef void (*Logger)(void *, Status, String, String);

#define NAMED(name) fmi3##name
#define STATE(verb, rest) fmi3##verb##FMUState##rest
#define DESERIALIZE fmi3DeserializeFMUState
#define DERIVATIVES fmi3GetContinuousStateDerivatives
#include "fmi.h"

#define MISMATCH "the instantiation token of the model description is not that of this library"

static Status say(Instance *i, Status status, const char *text) {
  if (i && i->logger) i->logger(i->environment, status, status == ERROR ? "logStatusError" : "logStatusWarning", text);
  return status;
}

EXPORT const char *fmi3GetVersion(void) { return "3.0"; }
EXPORT Status fmi3SetDebugLogging(Component c, bool on, size_t n, const String names[]) {
  (void)c, (void)on, (void)n, (void)names;
  return OK;
}

EXPORT Component fmi3InstantiateCoSimulation(String name, String token, String resources, bool visible, bool logging,
                                      bool events, bool early, const Reference intermediate[], size_t n,
                                      void *environment, Logger logger, void *update) {
  (void)resources, (void)visible, (void)logging, (void)early, (void)intermediate, (void)n, (void)update;
  if (events) {
    if (logger) logger(environment, ERROR, "logStatusError", "this FMU has no event mode in co-simulation");
    return NULL;
  }
  return instantiate(name, token, MISMATCH, 0, environment, logger);
}

EXPORT Component fmi3InstantiateModelExchange(String name, String token, String resources, bool visible, bool logging,
                                       void *environment, Logger logger) {
  (void)resources, (void)visible, (void)logging;
  return instantiate(name, token, MISMATCH, 1, environment, logger);
}

EXPORT Component fmi3InstantiateScheduledExecution(String name, String token, String resources, bool visible, bool logging,
                                            void *environment, Logger logger, void *a, void *b, void *d) {
  (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)a, (void)b, (void)d;
  if (logger) logger(environment, ERROR, "logStatusError", "this FMU is for co-simulation and model exchange");
  return NULL;
}

EXPORT Status fmi3EnterInitializationMode(Component c, bool toleranced, double tolerance, double start, bool ends,
                                   double stop) {
  (void)toleranced, (void)tolerance, (void)ends, (void)stop;
  Instance *i = (Instance *)c;
  i->start = start;
  i->stale = 1;
  return OK;
}

EXPORT Status fmi3GetFloat64(Component c, const Reference r[], size_t n, double value[], size_t room) {
  if (room < n) return say((Instance *)c, ERROR, "room for fewer values than references");
  return get_values((Instance *)c, r, n, value, gw_indicator_count());
}

EXPORT Status fmi3SetFloat64(Component c, const Reference r[], size_t n, const double value[], size_t given) {
  if (given < n) return say((Instance *)c, ERROR, "fewer values than references");
  return set_values((Instance *)c, r, n, value);
}

#define NONE(kind, type) \
  EXPORT Status fmi3Get##kind(Component c, const Reference r[], size_t n, type value[], size_t room) { \
    (void)r, (void)value, (void)room; \
    return n == 0 ? OK : say((Instance *)c, ERROR, "all variables are Float64"); \
  } \
  EXPORT Status fmi3Set##kind(Component c, const Reference r[], size_t n, const type value[], size_t room) { \
    (void)r, (void)value, (void)room; \
    return n == 0 ? OK : say((Instance *)c, ERROR, "all variables are Float64"); \
  }
NONE(Float32, float)
NONE(Int8, int8_t)
NONE(UInt8, uint8_t)
NONE(Int16, int16_t)
NONE(UInt16, uint16_t)
NONE(Int32, int32_t)
NONE(UInt32, uint32_t)
NONE(Int64, int64_t)
NONE(UInt64, uint64_t)
NONE(Boolean, bool)
NONE(String, String)
EXPORT Status fmi3GetBinary(Component c, const Reference r[], size_t n, size_t sizes[], Binary value[], size_t room) {
  (void)r, (void)sizes, (void)value, (void)room;
  return n == 0 ? OK : say((Instance *)c, ERROR, "all variables are Float64");
}
EXPORT Status fmi3SetBinary(Component c, const Reference r[], size_t n, const size_t sizes[], const Binary value[], size_t room) {
  (void)r, (void)sizes, (void)value, (void)room;
  return n == 0 ? OK : say((Instance *)c, ERROR, "all variables are Float64");
}
EXPORT Status fmi3GetClock(Component c, const Reference r[], size_t n, Clock value[]) {
  (void)r, (void)value;
  return n == 0 ? OK : say((Instance *)c, ERROR, "there are no clocks");
}
EXPORT Status fmi3SetClock(Component c, const Reference r[], size_t n, const Clock value[]) {
  (void)r, (void)value;
  return n == 0 ? OK : say((Instance *)c, ERROR, "there are no clocks");
}

EXPORT Status fmi3DoStep(Component c, double t, double h, bool final, bool *event, bool *ended, bool *early, double *last) {
  (void)final;
  Instance *i = (Instance *)c;
  *event = *ended = *early = false;
  int bad = gw_step(i->engine, t, h);
  *last = gw_time(i->engine);
  return bad ? say(i, ERROR, gw_failure(i->engine)) : OK;
}

/* What this FMU does not offer: every function of the standard exists and says so. */
#define REFUSED(name, ...) \
  EXPORT Status fmi3##name(Component c, __VA_ARGS__) { return say((Instance *)c, ERROR, "fmi3" #name " is not offered"); }
#define REFUSED0(name) \
  EXPORT Status fmi3##name(Component c) { return say((Instance *)c, ERROR, "fmi3" #name " is not offered"); }
REFUSED0(EnterConfigurationMode)
REFUSED0(ExitConfigurationMode)
REFUSED0(EnterStepMode)
REFUSED0(EvaluateDiscreteStates)
REFUSED(GetNumberOfVariableDependencies, Reference r, size_t *n)
REFUSED(GetVariableDependencies, Reference r, size_t a[], Reference b[], size_t d[], int e[], size_t n)
REFUSED(GetDirectionalDerivative, const Reference a[], size_t na, const Reference b[], size_t nb, const double x[], size_t nx,
        double y[], size_t ny)
REFUSED(GetAdjointDerivative, const Reference a[], size_t na, const Reference b[], size_t nb, const double x[], size_t nx,
        double y[], size_t ny)
REFUSED(GetOutputDerivatives, const Reference r[], size_t n, const int32_t order[], double value[], size_t room)
REFUSED(GetIntervalDecimal, const Reference r[], size_t n, double value[], int kind[])
REFUSED(GetIntervalFraction, const Reference r[], size_t n, uint64_t a[], uint64_t b[], int kind[])
REFUSED(GetShiftDecimal, const Reference r[], size_t n, double value[])
REFUSED(GetShiftFraction, const Reference r[], size_t n, uint64_t a[], uint64_t b[])
REFUSED(SetIntervalDecimal, const Reference r[], size_t n, const double value[])
REFUSED(SetIntervalFraction, const Reference r[], size_t n, const uint64_t a[], const uint64_t b[])
REFUSED(SetShiftDecimal, const Reference r[], size_t n, const double value[])
REFUSED(SetShiftFraction, const Reference r[], size_t n, const uint64_t a[], const uint64_t b[])
REFUSED(ActivateModelPartition, Reference r, double t)

EXPORT Status fmi3UpdateDiscreteStates(Component c, bool *again, bool *ends, bool *nominals, bool *values, bool *timed, double *next) {
  *again = *ends = *nominals = *values = *timed = false;
  *next = 0.0;
  return update_discrete_states((Instance *)c);
}

EXPORT Status fmi3CompletedIntegratorStep(Component c, bool keeps, bool *event, bool *ends) {
  (void)c, (void)keeps;
  *event = *ends = false;
  return OK;
}

EXPORT Status fmi3GetNumberOfContinuousStates(Component c, size_t *n) { return (void)c, *n = (size_t)gw_state_count(), OK; }
EXPORT Status fmi3GetNumberOfEventIndicators(Component c, size_t *n) { return (void)c, *n = (size_t)gw_indicator_count(), OK; }
