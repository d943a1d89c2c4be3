/* FMI 3.0 around the engine: co-simulation, and model exchange where the engine has states to give. Value references as in fmi2.c, event
   indicators 300000... */

#include "engine.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *Component;
typedef uint32_t Reference;
typedef int Status;
typedef const char *String;
typedef const uint8_t *Binary;
typedef bool Clock;
typedef void *State;
enum { OK, WARNING, DISCARD, ERROR, FATAL };
enum { PARAMETERS = 100, OUTPUTS = 1000, STATES = 100000, RATES = 200000, INDICATORS = 300000 };

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT
#endif
typedef void (*Logger)(void *, Status, String, String);

typedef struct {
  gw_engine *engine;
  Logger logger;
  void *environment;
  double start;
  int exchange, running, stale;
  double *room; /* states, or indicators */
} Instance;

static Status say(Instance *i, Status status, const char *text) {
  if (i && i->logger) i->logger(i->environment, status, status == ERROR ? "logStatusError" : "logStatusWarning", text);
  return status;
}

EXPORT const char *fmi3GetVersion(void) { return "3.0"; }
EXPORT Status fmi3SetDebugLogging(Component c, bool on, size_t n, const String names[]) {
  (void)c, (void)on, (void)n, (void)names;
  return OK;
}

static Component instantiate(String token, int exchange, void *environment, Logger logger) {
  Instance *i = (Instance *)calloc(1, sizeof(Instance));
  if (!i) return NULL;
  i->logger = logger;
  i->environment = environment;
  i->exchange = exchange;
  if (exchange && !gw_state_count()) {
    say(i, ERROR, "this FMU is for co-simulation");
  } else if (!token || strcmp(token, gw_identity)) {
    say(i, ERROR, "the instantiation token of the model description is not that of this library");
  } else if (!(i->room = (double *)calloc((size_t)(gw_state_count() + gw_indicator_count()) + 1, sizeof(double))) || !(i->engine = gw_create())) {
    say(i, ERROR, "no memory");
  }
  if (!i->engine) {
    free(i->room);
    free(i);
    return NULL;
  }
  return i;
}

EXPORT Component fmi3InstantiateCoSimulation(String name, String token, String resources, bool visible, bool logging,
                                      bool events, bool early, const Reference intermediate[], size_t n,
                                      void *environment, Logger logger, void *update) {
  (void)name, (void)resources, (void)visible, (void)logging, (void)early, (void)intermediate, (void)n, (void)update;
  if (events) {
    if (logger) logger(environment, ERROR, "logStatusError", "this FMU has no event mode in co-simulation");
    return NULL;
  }
  return instantiate(token, 0, environment, logger);
}

EXPORT Component fmi3InstantiateModelExchange(String name, String token, String resources, bool visible, bool logging,
                                       void *environment, Logger logger) {
  (void)name, (void)resources, (void)visible, (void)logging;
  return instantiate(token, 1, environment, logger);
}

EXPORT Component fmi3InstantiateScheduledExecution(String name, String token, String resources, bool visible, bool logging,
                                            void *environment, Logger logger, void *a, void *b, void *d) {
  (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)a, (void)b, (void)d;
  if (logger) logger(environment, ERROR, "logStatusError", "this FMU is for co-simulation and model exchange");
  return NULL;
}

EXPORT void fmi3FreeInstance(Component c) {
  Instance *i = (Instance *)c;
  if (!i) return;
  gw_destroy(i->engine);
  free(i->room);
  free(i);
}

EXPORT Status fmi3EnterInitializationMode(Component c, bool toleranced, double tolerance, double start, bool ends,
                                   double stop) {
  (void)toleranced, (void)tolerance, (void)ends, (void)stop;
  Instance *i = (Instance *)c;
  i->start = start;
  i->stale = 1;
  return OK;
}

static Status settle(Instance *i) {
  i->stale = 0;
  if (i->running ? gw_refresh(i->engine) : gw_start(i->engine, i->start)) return say(i, ERROR, gw_failure(i->engine));
  return OK;
}

EXPORT Status fmi3ExitInitializationMode(Component c) {
  Instance *i = (Instance *)c;
  Status status = settle(i);
  i->running = status == OK;
  return status;
}

EXPORT Status fmi3Terminate(Component c) {
  ((Instance *)c)->running = 0;
  return OK;
}

EXPORT Status fmi3Reset(Component c) {
  Instance *i = (Instance *)c;
  gw_reset(i->engine);
  i->running = i->stale = 0;
  return OK;
}

EXPORT Status fmi3GetFloat64(Component c, const Reference r[], size_t n, double value[], size_t room) {
  Instance *i = (Instance *)c;
  if (room < n) return say(i, ERROR, "room for fewer values than references");
  for (size_t k = 0; k < n; k++) {
    long v = (long)r[k];
    if (v >= OUTPUTS && v < OUTPUTS + gw_output_count) {
      if (i->stale && settle(i) != OK) return ERROR;
      value[k] = gw_output(i->engine, (int)(v - OUTPUTS));
    } else if (v >= PARAMETERS && v < PARAMETERS + gw_parameter_count) {
      value[k] = gw_parameter_value(i->engine, (int)(v - PARAMETERS));
    } else if (v >= 1 && v <= gw_port_count) {
      value[k] = gw_input(i->engine, (int)(v - 1));
    } else if (v >= STATES && v < STATES + gw_state_count()) {
      if (i->stale && settle(i) != OK) return ERROR;
      gw_get_states(i->engine, i->room);
      value[k] = i->room[v - STATES];
    } else if (v >= RATES && v < RATES + gw_state_count()) {
      if (i->stale && settle(i) != OK) return ERROR;
      if (gw_derivatives(i->engine, i->room)) return say(i, ERROR, gw_failure(i->engine));
      value[k] = i->room[v - RATES];
    } else if (v >= INDICATORS && v < INDICATORS + gw_indicator_count()) {
      if (i->stale && settle(i) != OK) return ERROR;
      if (gw_indicators(i->engine, i->room)) return say(i, ERROR, gw_failure(i->engine));
      value[k] = i->room[v - INDICATORS];
    } else if (v == 0) {
      value[k] = gw_time(i->engine);
    } else {
      return say(i, ERROR, "there is no variable with this value reference");
    }
  }
  return OK;
}

EXPORT Status fmi3SetFloat64(Component c, const Reference r[], size_t n, const double value[], size_t given) {
  Instance *i = (Instance *)c;
  if (given < n) return say(i, ERROR, "fewer values than references");
  for (size_t k = 0; k < n; k++) {
    long v = (long)r[k];
    if (v >= 1 && v <= gw_port_count) {
      gw_set_input(i->engine, (int)(v - 1), value[k]);
    } else if (v >= PARAMETERS && v < PARAMETERS + gw_parameter_count && !i->running) {
      gw_set_parameter(i->engine, (int)(v - PARAMETERS), value[k]);
    } else {
      return say(i, ERROR, "only inputs, and parameters before the start, can be set");
    }
    if (!i->running || i->exchange) i->stale = 1;
  }
  return OK;
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

static size_t room_of(Instance *i) { return gw_state_size(i->engine) + 2 * sizeof(int); }

EXPORT Status fmi3GetFMUState(Component c, State *state) {
  Instance *i = (Instance *)c;
  if (!*state) *state = malloc(room_of(i));
  if (!*state) return say(i, ERROR, "no memory");
  size_t size = gw_state_size(i->engine);
  gw_save(i->engine, *state);
  memcpy((char *)*state + size, &i->running, sizeof(int));
  memcpy((char *)*state + size + sizeof(int), &i->stale, sizeof(int));
  return OK;
}

EXPORT Status fmi3SetFMUState(Component c, State state) {
  Instance *i = (Instance *)c;
  size_t size = gw_state_size(i->engine);
  gw_load(i->engine, state);
  memcpy(&i->running, (char *)state + size, sizeof(int));
  memcpy(&i->stale, (char *)state + size + sizeof(int), sizeof(int));
  return OK;
}

EXPORT Status fmi3FreeFMUState(Component c, State *state) {
  (void)c;
  free(*state);
  *state = NULL;
  return OK;
}

EXPORT Status fmi3SerializedFMUStateSize(Component c, State state, size_t *size) {
  (void)state;
  *size = room_of((Instance *)c);
  return OK;
}

EXPORT Status fmi3SerializeFMUState(Component c, State state, uint8_t bytes[], size_t size) {
  Instance *i = (Instance *)c;
  if (size < room_of(i)) return say(i, ERROR, "the room for the state is too small");
  memcpy(bytes, state, room_of(i));
  return OK;
}

EXPORT Status fmi3DeserializeFMUState(Component c, const uint8_t bytes[], size_t size, State *state) {
  Instance *i = (Instance *)c;
  if (size != room_of(i)) return say(i, ERROR, "the state belongs to another model");
  if (!*state) *state = malloc(size);
  if (!*state) return say(i, ERROR, "no memory");
  memcpy(*state, bytes, size);
  return OK;
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

/* --- model exchange --- */

EXPORT Status fmi3EnterEventMode(Component c) { return (void)c, OK; }
EXPORT Status fmi3EnterContinuousTimeMode(Component c) { return (void)c, OK; }

EXPORT Status fmi3UpdateDiscreteStates(Component c, bool *again, bool *ends, bool *nominals, bool *values, bool *timed, double *next) {
  Instance *i = (Instance *)c;
  *again = *ends = *nominals = *values = *timed = false;
  *next = 0.0;
  i->stale = 1;
  return gw_event(i->engine) ? say(i, ERROR, gw_failure(i->engine)) : OK;
}

EXPORT Status fmi3CompletedIntegratorStep(Component c, bool keeps, bool *event, bool *ends) {
  (void)c, (void)keeps;
  *event = *ends = false;
  return OK;
}

EXPORT Status fmi3SetTime(Component c, double t) {
  Instance *i = (Instance *)c;
  gw_set_time(i->engine, t);
  i->stale = 1;
  return OK;
}

static Status of_states(Instance *i, size_t n) {
  return n == (size_t)gw_state_count() ? OK : say(i, ERROR, "another number of states than the model description has");
}

EXPORT Status fmi3SetContinuousStates(Component c, const double x[], size_t n) {
  Instance *i = (Instance *)c;
  if (of_states(i, n) != OK) return ERROR;
  gw_set_states(i->engine, x);
  i->stale = 1;
  return OK;
}

EXPORT Status fmi3GetContinuousStates(Component c, double x[], size_t n) {
  Instance *i = (Instance *)c;
  if (of_states(i, n) != OK) return ERROR;
  if (!i->running && i->stale && settle(i) != OK) return ERROR;
  gw_get_states(i->engine, x);
  return OK;
}

EXPORT Status fmi3GetContinuousStateDerivatives(Component c, double x[], size_t n) {
  Instance *i = (Instance *)c;
  if (of_states(i, n) != OK) return ERROR;
  return gw_derivatives(i->engine, x) ? say(i, ERROR, gw_failure(i->engine)) : OK;
}

EXPORT Status fmi3GetNominalsOfContinuousStates(Component c, double x[], size_t n) {
  if (of_states((Instance *)c, n) != OK) return ERROR;
  for (size_t k = 0; k < n; k++) x[k] = gw_nominal((int)k);
  return OK;
}

EXPORT Status fmi3GetEventIndicators(Component c, double x[], size_t n) {
  Instance *i = (Instance *)c;
  if (n != (size_t)gw_indicator_count()) return say(i, ERROR, "another number of event indicators than the model description has");
  return gw_indicators(i->engine, x) ? say(i, ERROR, gw_failure(i->engine)) : OK;
}

EXPORT Status fmi3GetNumberOfContinuousStates(Component c, size_t *n) { return (void)c, *n = (size_t)gw_state_count(), OK; }
EXPORT Status fmi3GetNumberOfEventIndicators(Component c, size_t *n) { return (void)c, *n = (size_t)gw_indicator_count(), OK; }
