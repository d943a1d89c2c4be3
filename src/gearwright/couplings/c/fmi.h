/* What FMI 2.0 and 3.0 have in common around the engine. Before it, a version says how its functions are called (NAMED, STATE) and what a
   Logger is; after it, how a message is said. Value references: inputs 1.., parameters 100.., outputs 1000.., states 100000.., their
   derivatives 200000.., event indicators 300000.. (3.0). */

#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK, WARNING, DISCARD, ERROR, FATAL };
enum { PARAMETERS = 100, OUTPUTS = 1000, STATES = 100000, RATES = 200000, INDICATORS = 300000 };

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT
#endif

typedef struct {
  gw_engine *engine;
  Logger logger;
  void *environment;
  char name[128];
  double start;
  int exchange, running, stale;
  double *room; /* states, or indicators */
} Instance;

static Status say(Instance *i, Status status, const char *text);

/* An instance for co-simulation or model exchange; NULL, and said why, where there is none. */
static Component instantiate(String name, String token, const char *mismatch, int exchange, void *environment, Logger logger) {
  Instance *i = (Instance *)calloc(1, sizeof(Instance));
  if (!i) return NULL;
  i->logger = logger;
  i->environment = environment;
  i->exchange = exchange;
  snprintf(i->name, sizeof i->name, "%s", name ? name : "");
  if (exchange && !gw_state_count()) {
    say(i, ERROR, "this FMU is for co-simulation");
  } else if (!token || strcmp(token, gw_identity)) {
    say(i, ERROR, mismatch);
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

EXPORT void NAMED(FreeInstance)(Component c) {
  Instance *i = (Instance *)c;
  if (!i) return;
  gw_destroy(i->engine);
  free(i->room);
  free(i);
}

static Status settle(Instance *i) {
  i->stale = 0;
  if (i->running ? gw_refresh(i->engine) : gw_start(i->engine, i->start)) return say(i, ERROR, gw_failure(i->engine));
  return OK;
}

EXPORT Status NAMED(ExitInitializationMode)(Component c) {
  Instance *i = (Instance *)c;
  Status status = settle(i);
  i->running = status == OK;
  return status;
}

EXPORT Status NAMED(Terminate)(Component c) {
  ((Instance *)c)->running = 0;
  return OK;
}

EXPORT Status NAMED(Reset)(Component c) {
  Instance *i = (Instance *)c;
  gw_reset(i->engine);
  i->running = i->stale = 0;
  return OK;
}

static Status get_values(Instance *i, const Reference r[], size_t n, double value[], int indicators) {
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
    } else if (v >= INDICATORS && v < INDICATORS + indicators) {
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

static Status set_values(Instance *i, const Reference r[], size_t n, const double value[]) {
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

/* A saved state: the engine's block, then whether it runs. */
static size_t room_of(Instance *i) { return gw_state_size(i->engine) + 2 * sizeof(int); }

EXPORT Status STATE(Get, )(Component c, State *state) {
  Instance *i = (Instance *)c;
  if (!*state) *state = malloc(room_of(i));
  if (!*state) return say(i, ERROR, "no memory");
  size_t size = gw_state_size(i->engine);
  gw_save(i->engine, *state);
  memcpy((char *)*state + size, &i->running, sizeof(int));
  memcpy((char *)*state + size + sizeof(int), &i->stale, sizeof(int));
  return OK;
}

EXPORT Status STATE(Set, )(Component c, State state) {
  Instance *i = (Instance *)c;
  size_t size = gw_state_size(i->engine);
  gw_load(i->engine, state);
  memcpy(&i->running, (char *)state + size, sizeof(int));
  memcpy(&i->stale, (char *)state + size + sizeof(int), sizeof(int));
  return OK;
}

EXPORT Status STATE(Free, )(Component c, State *state) {
  (void)c;
  free(*state);
  *state = NULL;
  return OK;
}

EXPORT Status STATE(Serialized, Size)(Component c, State state, size_t *size) {
  (void)state;
  *size = room_of((Instance *)c);
  return OK;
}

EXPORT Status STATE(Serialize, )(Component c, State state, Byte bytes[], size_t size) {
  Instance *i = (Instance *)c;
  if (size < room_of(i)) return say(i, ERROR, "the room for the state is too small");
  memcpy(bytes, state, room_of(i));
  return OK;
}

EXPORT Status DESERIALIZE(Component c, const Byte bytes[], size_t size, State *state) {
  Instance *i = (Instance *)c;
  if (size != room_of(i)) return say(i, ERROR, "the state belongs to another model");
  if (!*state) *state = malloc(size);
  if (!*state) return say(i, ERROR, "no memory");
  memcpy(*state, bytes, size);
  return OK;
}

/* --- model exchange --- */

EXPORT Status NAMED(EnterEventMode)(Component c) { return (void)c, OK; }
EXPORT Status NAMED(EnterContinuousTimeMode)(Component c) { return (void)c, OK; }

static Status update_discrete_states(Instance *i) {
  i->stale = 1;
  return gw_event(i->engine) ? say(i, ERROR, gw_failure(i->engine)) : OK;
}

EXPORT Status NAMED(SetTime)(Component c, double t) {
  Instance *i = (Instance *)c;
  gw_set_time(i->engine, t);
  i->stale = 1;
  return OK;
}

static Status of_states(Instance *i, size_t n) {
  return n == (size_t)gw_state_count() ? OK : say(i, ERROR, "another number of states than the model description has");
}

EXPORT Status NAMED(SetContinuousStates)(Component c, const double x[], size_t n) {
  Instance *i = (Instance *)c;
  if (of_states(i, n) != OK) return ERROR;
  gw_set_states(i->engine, x);
  i->stale = 1;
  return OK;
}

EXPORT Status NAMED(GetContinuousStates)(Component c, double x[], size_t n) {
  Instance *i = (Instance *)c;
  if (of_states(i, n) != OK) return ERROR;
  if (!i->running && i->stale && settle(i) != OK) return ERROR;
  gw_get_states(i->engine, x);
  return OK;
}

EXPORT Status DERIVATIVES(Component c, double x[], size_t n) {
  Instance *i = (Instance *)c;
  if (of_states(i, n) != OK) return ERROR;
  return gw_derivatives(i->engine, x) ? say(i, ERROR, gw_failure(i->engine)) : OK;
}

EXPORT Status NAMED(GetNominalsOfContinuousStates)(Component c, double x[], size_t n) {
  if (of_states((Instance *)c, n) != OK) return ERROR;
  for (size_t k = 0; k < n; k++) x[k] = gw_nominal((int)k);
  return OK;
}

EXPORT Status NAMED(GetEventIndicators)(Component c, double x[], size_t n) {
  Instance *i = (Instance *)c;
  if (n != (size_t)gw_indicator_count()) return say(i, ERROR, "another number of event indicators than the model description has");
  return gw_indicators(i->engine, x) ? say(i, ERROR, gw_failure(i->engine)) : OK;
}
