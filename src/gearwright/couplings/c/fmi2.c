/* FMI 2.0 around the engine: co-simulation, and model exchange where the engine has states to give. Value references: inputs 1..,
   parameters 100.., outputs 1000.., states 100000.., their derivatives 200000... */

#include "engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *Component;
typedef unsigned int Reference;
typedef double Real;
typedef int Integer, Boolean, Status, Type;
typedef const char *String;
typedef void *State;
enum { OK, WARNING, DISCARD, ERROR, FATAL };
enum { PARAMETERS = 100, OUTPUTS = 1000, STATES = 100000, RATES = 200000 };
enum { MODEL_EXCHANGE, CO_SIMULATION };

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT
#endif

typedef void (*Logger)(void *, String, Status, String, String, ...);
typedef struct {
  Logger logger;
  void *(*allocate)(size_t, size_t);
  void (*release)(void *);
  void (*finished)(void *, Status);
  void *environment;
} Callbacks;

typedef struct {
  gw_engine *engine;
  Logger logger;
  void *environment;
  char name[128];
  double start;
  int exchange, running, stale;
  double *room; /* states */
} Instance;

typedef struct {
  Boolean again, ends, nominals, values, timed;
  Real next;
} Event;

static Status say(Instance *i, Status status, const char *text) {
  if (i->logger) i->logger(i->environment, i->name, status, status == ERROR ? "logStatusError" : "logStatusWarning", "%s", text);
  return status;
}

EXPORT const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORT const char *fmi2GetVersion(void) { return "2.0"; }
EXPORT Status fmi2SetDebugLogging(Component c, Boolean on, size_t n, const String names[]) {
  (void)c, (void)on, (void)n, (void)names;
  return OK;
}

EXPORT Component fmi2Instantiate(String name, Type type, String identity, String resources, const Callbacks *callbacks,
                          Boolean visible, Boolean logging) {
  (void)resources, (void)visible, (void)logging;
  Instance *i = (Instance *)calloc(1, sizeof(Instance));
  if (!i) return NULL;
  if (callbacks) {
    i->logger = callbacks->logger;
    i->environment = callbacks->environment;
  }
  snprintf(i->name, sizeof i->name, "%s", name ? name : "");
  i->exchange = type == MODEL_EXCHANGE;
  if (i->exchange && !gw_state_count()) {
    say(i, ERROR, "this FMU is for co-simulation");
  } else if (!identity || strcmp(identity, gw_identity)) {
    say(i, ERROR, "the guid of the model description is not that of this library");
  } else if (!(i->room = (double *)calloc((size_t)gw_state_count() + 1, sizeof(double))) || !(i->engine = gw_create())) {
    say(i, ERROR, "no memory");
  }
  if (!i->engine) {
    free(i->room);
    free(i);
    return NULL;
  }
  return i;
}

EXPORT void fmi2FreeInstance(Component c) {
  Instance *i = (Instance *)c;
  if (!i) return;
  gw_destroy(i->engine);
  free(i->room);
  free(i);
}

EXPORT Status fmi2SetupExperiment(Component c, Boolean toleranced, Real tolerance, Real start, Boolean ends, Real stop) {
  (void)toleranced, (void)tolerance, (void)ends, (void)stop;
  ((Instance *)c)->start = start;
  return OK;
}

EXPORT Status fmi2EnterInitializationMode(Component c) {
  ((Instance *)c)->stale = 1;
  return OK;
}

static Status settle(Instance *i) {
  i->stale = 0;
  if (i->running ? gw_refresh(i->engine) : gw_start(i->engine, i->start)) return say(i, ERROR, gw_failure(i->engine));
  return OK;
}

EXPORT Status fmi2ExitInitializationMode(Component c) {
  Instance *i = (Instance *)c;
  Status status = settle(i);
  i->running = status == OK;
  return status;
}

EXPORT Status fmi2Terminate(Component c) {
  ((Instance *)c)->running = 0;
  return OK;
}

EXPORT Status fmi2Reset(Component c) {
  Instance *i = (Instance *)c;
  gw_reset(i->engine);
  i->running = i->stale = 0;
  return OK;
}

EXPORT Status fmi2GetReal(Component c, const Reference r[], size_t n, Real value[]) {
  Instance *i = (Instance *)c;
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
    } else if (v == 0) {
      value[k] = gw_time(i->engine);
    } else {
      return say(i, ERROR, "there is no variable with this value reference");
    }
  }
  return OK;
}

EXPORT Status fmi2SetReal(Component c, const Reference r[], size_t n, const Real value[]) {
  Instance *i = (Instance *)c;
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

#define NONE(kind, type, constness) \
  EXPORT Status fmi2##kind(Component c, const Reference r[], size_t n, constness type value[]) { \
    (void)r, (void)value; \
    return n == 0 ? OK : say((Instance *)c, ERROR, "all variables are real"); \
  }
NONE(GetInteger, Integer, )
NONE(GetBoolean, Boolean, )
NONE(GetString, String, )
NONE(SetInteger, Integer, const)
NONE(SetBoolean, Boolean, const)
NONE(SetString, String, const)

EXPORT Status fmi2SetRealInputDerivatives(Component c, const Reference r[], size_t n, const Integer order[],
                                   const Real value[]) {
  Instance *i = (Instance *)c;
  for (size_t k = 0; k < n; k++) {
    if (order[k] != 1 || r[k] < 1 || (int)r[k] > gw_port_count)
      return say(i, ERROR, "inputs take first derivatives");
    gw_set_input_rate(i->engine, (int)r[k] - 1, value[k]);
  }
  return OK;
}

EXPORT Status fmi2GetRealOutputDerivatives(Component c, const Reference r[], size_t n, const Integer order[], Real value[]) {
  (void)r, (void)order, (void)value;
  return n == 0 ? OK : say((Instance *)c, ERROR, "derivatives of outputs are not given");
}

EXPORT Status fmi2GetDirectionalDerivative(Component c, const Reference a[], size_t na, const Reference b[], size_t nb,
                                    const Real x[], Real y[]) {
  (void)a, (void)na, (void)b, (void)nb, (void)x, (void)y;
  return say((Instance *)c, ERROR, "directional derivatives are not given");
}

EXPORT Status fmi2DoStep(Component c, Real t, Real h, Boolean final) {
  (void)final;
  Instance *i = (Instance *)c;
  if (gw_step(i->engine, t, h)) return say(i, ERROR, gw_failure(i->engine));
  return OK;
}

EXPORT Status fmi2CancelStep(Component c) { return say((Instance *)c, ERROR, "steps are not asynchronous"); }

#define ASKED(name, type) \
  EXPORT Status fmi2Get##name(Component c, int kind, type *value) { \
    (void)c, (void)kind, (void)value; \
    return DISCARD; \
  }
ASKED(Status, Status)
ASKED(IntegerStatus, Integer)
ASKED(BooleanStatus, Boolean)
ASKED(StringStatus, String)
EXPORT Status fmi2GetRealStatus(Component c, int kind, Real *value) {
  if (kind != 2) return DISCARD; /* fmi2LastSuccessfulTime */
  *value = gw_time(((Instance *)c)->engine);
  return OK;
}

/* A saved state: the engine's block, then whether it runs. */
static size_t room(Instance *i) { return gw_state_size(i->engine) + 2 * sizeof(int); }

EXPORT Status fmi2GetFMUstate(Component c, State *state) {
  Instance *i = (Instance *)c;
  if (!*state) *state = malloc(room(i));
  if (!*state) return say(i, ERROR, "no memory");
  size_t size = gw_state_size(i->engine);
  gw_save(i->engine, *state);
  memcpy((char *)*state + size, &i->running, sizeof(int));
  memcpy((char *)*state + size + sizeof(int), &i->stale, sizeof(int));
  return OK;
}

EXPORT Status fmi2SetFMUstate(Component c, State state) {
  Instance *i = (Instance *)c;
  size_t size = gw_state_size(i->engine);
  gw_load(i->engine, state);
  memcpy(&i->running, (char *)state + size, sizeof(int));
  memcpy(&i->stale, (char *)state + size + sizeof(int), sizeof(int));
  return OK;
}

EXPORT Status fmi2FreeFMUstate(Component c, State *state) {
  (void)c;
  free(*state);
  *state = NULL;
  return OK;
}

EXPORT Status fmi2SerializedFMUstateSize(Component c, State state, size_t *size) {
  (void)state;
  *size = room((Instance *)c);
  return OK;
}

EXPORT Status fmi2SerializeFMUstate(Component c, State state, char bytes[], size_t size) {
  Instance *i = (Instance *)c;
  if (size < room(i)) return say(i, ERROR, "the room for the state is too small");
  memcpy(bytes, state, room(i));
  return OK;
}

EXPORT Status fmi2DeSerializeFMUstate(Component c, const char bytes[], size_t size, State *state) {
  Instance *i = (Instance *)c;
  if (size != room(i)) return say(i, ERROR, "the state belongs to another model");
  if (!*state) *state = malloc(size);
  if (!*state) return say(i, ERROR, "no memory");
  memcpy(*state, bytes, size);
  return OK;
}

/* --- model exchange --- */

EXPORT Status fmi2EnterEventMode(Component c) { return (void)c, OK; }

EXPORT Status fmi2NewDiscreteStates(Component c, Event *event) {
  Instance *i = (Instance *)c;
  memset(event, 0, sizeof *event);
  i->stale = 1;
  return gw_event(i->engine) ? say(i, ERROR, gw_failure(i->engine)) : OK;
}

EXPORT Status fmi2EnterContinuousTimeMode(Component c) { return (void)c, OK; }

EXPORT Status fmi2CompletedIntegratorStep(Component c, Boolean keeps, Boolean *event, Boolean *ends) {
  (void)c, (void)keeps;
  *event = *ends = 0;
  return OK;
}

EXPORT Status fmi2SetTime(Component c, Real t) {
  Instance *i = (Instance *)c;
  gw_set_time(i->engine, t);
  i->stale = 1;
  return OK;
}

static Status of_states(Instance *i, size_t n) {
  return n == (size_t)gw_state_count() ? OK : say(i, ERROR, "another number of states than the model description has");
}

EXPORT Status fmi2SetContinuousStates(Component c, const Real x[], size_t n) {
  Instance *i = (Instance *)c;
  if (of_states(i, n) != OK) return ERROR;
  gw_set_states(i->engine, x);
  i->stale = 1;
  return OK;
}

EXPORT Status fmi2GetContinuousStates(Component c, Real x[], size_t n) {
  Instance *i = (Instance *)c;
  if (of_states(i, n) != OK) return ERROR;
  if (!i->running && i->stale && settle(i) != OK) return ERROR;
  gw_get_states(i->engine, x);
  return OK;
}

EXPORT Status fmi2GetDerivatives(Component c, Real x[], size_t n) {
  Instance *i = (Instance *)c;
  if (of_states(i, n) != OK) return ERROR;
  return gw_derivatives(i->engine, x) ? say(i, ERROR, gw_failure(i->engine)) : OK;
}

EXPORT Status fmi2GetNominalsOfContinuousStates(Component c, Real x[], size_t n) {
  if (of_states((Instance *)c, n) != OK) return ERROR;
  for (size_t k = 0; k < n; k++) x[k] = gw_nominal((int)k);
  return OK;
}

EXPORT Status fmi2GetEventIndicators(Component c, Real x[], size_t n) {
  Instance *i = (Instance *)c;
  if (n != (size_t)gw_indicator_count()) return say(i, ERROR, "another number of event indicators than the model description has");
  return gw_indicators(i->engine, x) ? say(i, ERROR, gw_failure(i->engine)) : OK;
}
