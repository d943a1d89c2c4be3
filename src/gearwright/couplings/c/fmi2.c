/* FMI 2.0 around the engine: co-simulation, and model exchange where the engine has states to give. */

#include <stddef.h>

typedef void *Component, *State;
typedef unsigned int Reference;
typedef double Real;
typedef int Integer, Boolean, Status, Type;
typedef const char *String;
typedef char Byte;
typedef void (*Logger)(void *, String, Status, String, String, ...);

#define NAMED(name) fmi2##name
#define STATE(verb, rest) fmi2##verb##FMUstate##rest
#define DESERIALIZE fmi2DeSerializeFMUstate
#define DERIVATIVES fmi2GetDerivatives
#include "fmi.h"

enum { MODEL_EXCHANGE, CO_SIMULATION };
typedef struct {
  Logger logger;
  void *(*allocate)(size_t, size_t);
  void (*release)(void *);
  void (*finished)(void *, Status);
  void *environment;
} Callbacks;

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
  return instantiate(name, identity, "the guid of the model description is not that of this library", type == MODEL_EXCHANGE,
                     callbacks ? callbacks->environment : NULL, callbacks ? callbacks->logger : NULL);
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

EXPORT Status fmi2GetReal(Component c, const Reference r[], size_t n, Real value[]) { return get_values((Instance *)c, r, n, value, 0); }
EXPORT Status fmi2SetReal(Component c, const Reference r[], size_t n, const Real value[]) { return set_values((Instance *)c, r, n, value); }

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

EXPORT Status fmi2NewDiscreteStates(Component c, Event *event) {
  memset(event, 0, sizeof *event);
  return update_discrete_states((Instance *)c);
}

EXPORT Status fmi2CompletedIntegratorStep(Component c, Boolean keeps, Boolean *event, Boolean *ends) {
  (void)c, (void)keeps;
  *event = *ends = 0;
  return OK;
}
