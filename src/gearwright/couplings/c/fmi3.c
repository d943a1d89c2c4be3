/* FMI 3.0 for co-simulation around the engine. Value references as in fmi2.c. */

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
enum { PARAMETERS = 100, OUTPUTS = 1000 };
typedef void (*Logger)(void *, Status, String, String);

typedef struct {
  gw_engine *engine;
  Logger logger;
  void *environment;
  double start;
  int running, stale;
} Instance;

static Status say(Instance *i, Status status, const char *text) {
  if (i && i->logger) i->logger(i->environment, status, status == ERROR ? "logStatusError" : "logStatusWarning", text);
  return status;
}

const char *fmi3GetVersion(void) { return "3.0"; }
Status fmi3SetDebugLogging(Component c, bool on, size_t n, const String names[]) {
  (void)c, (void)on, (void)n, (void)names;
  return OK;
}

Component fmi3InstantiateCoSimulation(String name, String token, String resources, bool visible, bool logging,
                                      bool events, bool early, const Reference intermediate[], size_t n,
                                      void *environment, Logger logger, void *update) {
  (void)name, (void)resources, (void)visible, (void)logging, (void)early, (void)intermediate, (void)n, (void)update;
  Instance *i = (Instance *)calloc(1, sizeof(Instance));
  if (!i) return NULL;
  i->logger = logger;
  i->environment = environment;
  if (events) {
    say(i, ERROR, "this FMU has no event mode");
  } else if (!token || strcmp(token, gw_identity)) {
    say(i, ERROR, "the instantiation token of the model description is not that of this library");
  } else if (!(i->engine = gw_create())) {
    say(i, ERROR, "no memory");
  }
  if (!i->engine) {
    free(i);
    return NULL;
  }
  return i;
}

Component fmi3InstantiateModelExchange(String name, String token, String resources, bool visible, bool logging,
                                       void *environment, Logger logger) {
  (void)name, (void)token, (void)resources, (void)visible, (void)logging;
  if (logger) logger(environment, ERROR, "logStatusError", "this FMU is for co-simulation");
  return NULL;
}

Component fmi3InstantiateScheduledExecution(String name, String token, String resources, bool visible, bool logging,
                                            void *environment, Logger logger, void *a, void *b, void *d) {
  (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)a, (void)b, (void)d;
  if (logger) logger(environment, ERROR, "logStatusError", "this FMU is for co-simulation");
  return NULL;
}

void fmi3FreeInstance(Component c) {
  Instance *i = (Instance *)c;
  if (!i) return;
  gw_destroy(i->engine);
  free(i);
}

Status fmi3EnterInitializationMode(Component c, bool toleranced, double tolerance, double start, bool ends,
                                   double stop) {
  (void)toleranced, (void)tolerance, (void)ends, (void)stop;
  Instance *i = (Instance *)c;
  i->start = start;
  i->stale = 1;
  return OK;
}

static Status settle(Instance *i) {
  i->stale = 0;
  if (gw_start(i->engine, i->start)) return say(i, ERROR, gw_failure(i->engine));
  return OK;
}

Status fmi3ExitInitializationMode(Component c) {
  Instance *i = (Instance *)c;
  Status status = settle(i);
  i->running = status == OK;
  return status;
}

Status fmi3Terminate(Component c) {
  ((Instance *)c)->running = 0;
  return OK;
}

Status fmi3Reset(Component c) {
  Instance *i = (Instance *)c;
  gw_reset(i->engine);
  i->running = i->stale = 0;
  return OK;
}

Status fmi3GetFloat64(Component c, const Reference r[], size_t n, double value[], size_t room) {
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
    } else if (v == 0) {
      value[k] = gw_time(i->engine);
    } else {
      return say(i, ERROR, "there is no variable with this value reference");
    }
  }
  return OK;
}

Status fmi3SetFloat64(Component c, const Reference r[], size_t n, const double value[], size_t given) {
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
    if (!i->running) i->stale = 1;
  }
  return OK;
}

#define NONE(kind, type) \
  Status fmi3Get##kind(Component c, const Reference r[], size_t n, type value[], size_t room) { \
    (void)r, (void)value, (void)room; \
    return n == 0 ? OK : say((Instance *)c, ERROR, "all variables are Float64"); \
  } \
  Status fmi3Set##kind(Component c, const Reference r[], size_t n, const type value[], size_t room) { \
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
Status fmi3GetBinary(Component c, const Reference r[], size_t n, size_t sizes[], Binary value[], size_t room) {
  (void)r, (void)sizes, (void)value, (void)room;
  return n == 0 ? OK : say((Instance *)c, ERROR, "all variables are Float64");
}
Status fmi3SetBinary(Component c, const Reference r[], size_t n, const size_t sizes[], const Binary value[], size_t room) {
  (void)r, (void)sizes, (void)value, (void)room;
  return n == 0 ? OK : say((Instance *)c, ERROR, "all variables are Float64");
}
Status fmi3GetClock(Component c, const Reference r[], size_t n, Clock value[]) {
  (void)r, (void)value;
  return n == 0 ? OK : say((Instance *)c, ERROR, "there are no clocks");
}
Status fmi3SetClock(Component c, const Reference r[], size_t n, const Clock value[]) {
  (void)r, (void)value;
  return n == 0 ? OK : say((Instance *)c, ERROR, "there are no clocks");
}

Status fmi3DoStep(Component c, double t, double h, bool final, bool *event, bool *ended, bool *early, double *last) {
  (void)final;
  Instance *i = (Instance *)c;
  *event = *ended = *early = false;
  int bad = gw_step(i->engine, t, h);
  *last = gw_time(i->engine);
  return bad ? say(i, ERROR, gw_failure(i->engine)) : OK;
}

static size_t room_of(Instance *i) { return gw_state_size(i->engine) + 2 * sizeof(int); }

Status fmi3GetFMUState(Component c, State *state) {
  Instance *i = (Instance *)c;
  if (!*state) *state = malloc(room_of(i));
  if (!*state) return say(i, ERROR, "no memory");
  size_t size = gw_state_size(i->engine);
  gw_save(i->engine, *state);
  memcpy((char *)*state + size, &i->running, sizeof(int));
  memcpy((char *)*state + size + sizeof(int), &i->stale, sizeof(int));
  return OK;
}

Status fmi3SetFMUState(Component c, State state) {
  Instance *i = (Instance *)c;
  size_t size = gw_state_size(i->engine);
  gw_load(i->engine, state);
  memcpy(&i->running, (char *)state + size, sizeof(int));
  memcpy(&i->stale, (char *)state + size + sizeof(int), sizeof(int));
  return OK;
}

Status fmi3FreeFMUState(Component c, State *state) {
  (void)c;
  free(*state);
  *state = NULL;
  return OK;
}

Status fmi3SerializedFMUStateSize(Component c, State state, size_t *size) {
  (void)state;
  *size = room_of((Instance *)c);
  return OK;
}

Status fmi3SerializeFMUState(Component c, State state, uint8_t bytes[], size_t size) {
  Instance *i = (Instance *)c;
  if (size < room_of(i)) return say(i, ERROR, "the room for the state is too small");
  memcpy(bytes, state, room_of(i));
  return OK;
}

Status fmi3DeserializeFMUState(Component c, const uint8_t bytes[], size_t size, State *state) {
  Instance *i = (Instance *)c;
  if (size != room_of(i)) return say(i, ERROR, "the state belongs to another model");
  if (!*state) *state = malloc(size);
  if (!*state) return say(i, ERROR, "no memory");
  memcpy(*state, bytes, size);
  return OK;
}

/* What this FMU does not offer: every function of the standard exists and says so. */
#define REFUSED(name, ...) \
  Status fmi3##name(Component c, __VA_ARGS__) { return say((Instance *)c, ERROR, "fmi3" #name " is not offered"); }
#define REFUSED0(name) \
  Status fmi3##name(Component c) { return say((Instance *)c, ERROR, "fmi3" #name " is not offered"); }
REFUSED0(EnterConfigurationMode)
REFUSED0(ExitConfigurationMode)
REFUSED0(EnterEventMode)
REFUSED0(EnterStepMode)
REFUSED0(EnterContinuousTimeMode)
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
REFUSED(UpdateDiscreteStates, bool *a, bool *b, bool *d, bool *e, bool *f, double *t)
REFUSED(CompletedIntegratorStep, bool a, bool *b, bool *d)
REFUSED(SetTime, double t)
REFUSED(SetContinuousStates, const double x[], size_t n)
REFUSED(GetContinuousStateDerivatives, double x[], size_t n)
REFUSED(GetEventIndicators, double x[], size_t n)
REFUSED(GetContinuousStates, double x[], size_t n)
REFUSED(GetNominalsOfContinuousStates, double x[], size_t n)
REFUSED(GetNumberOfEventIndicators, size_t *n)
REFUSED(GetNumberOfContinuousStates, size_t *n)
REFUSED(ActivateModelPartition, Reference r, double t)
