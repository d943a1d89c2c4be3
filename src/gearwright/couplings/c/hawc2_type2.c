/* HAWC2 type-2 DLL with a moment interface: shaft speed in, moment on the shaft out, the drivetrain inside.

   dll_init(in, out)    in: [1] time step s, [2] shaft speed rad/s, [3] generator torque N m (at its own shaft)
                        out: [1] 0 fine, else failed
   dll_update(in, out)  in: [1] time s, [2] shaft speed rad/s, [3] generator torque N m
                        out: [1] moment on the shaft N m, against its turning when positive; [2] generator speed rad/s;
                        [3] 0 fine, else failed; [4] and on: the outputs chosen when the library was made

   HAWC2 steps by Newmark's method: the moment that it is given acts at the end of the step that begins now. So each call goes back
   to the state one step ago, repeats that step with the speed that is known now, goes on to the end of the present step with
   the speed of a parabola through the last three, and gives back the moment there. A second call for the same time gets the
   same answer. */

#include "engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static gw_engine *engine = NULL;
static double step = 0.0, last = -1.0;
static void *kept = NULL;       /* the state at the newest time whose speed is known */
static double known[3];         /* speeds at the last times, the newest first */
static double braking = 0.0;    /* generator torque of the step before */
static int begun = 0;

static int advance(double t, double from, double to, double torque) {
  gw_set_input(engine, 0, from);
  gw_set_input_rate(engine, 0, (to - from) / step);
  gw_set_input(engine, 1, torque);
  return gw_step(engine, t, step);
}

/* the shaft's moment and the generator's speed are the first two outputs */
static void answer(double *out, int failed) {
  out[0] = gw_output(engine, 0);
  out[1] = gw_output(engine, 1);
  out[2] = failed;
  for (int i = 2; i < gw_output_count; i++) out[i + 1] = gw_output(engine, i);
}

void dll_init(const double *in, double *out) {
  out[0] = 1.0;
  gw_destroy(engine);
  engine = gw_create();
  step = in[0];
  last = -1.0;
  begun = 0;
  free(kept);
  kept = engine ? malloc(gw_state_size(engine)) : NULL;
  if (engine && !kept) {
    gw_destroy(engine);
    engine = NULL;
  }
  known[0] = known[1] = known[2] = in[1];
  if (!engine || !(step > 0.0)) {
    fprintf(stderr, "Gearwright: %s\n", engine ? "the time step is not positive" : "no memory");
    return;
  }
  gw_set_input(engine, 0, in[1]);
  gw_set_input(engine, 1, in[2]);
  if (gw_start(engine, 0.0)) {
    fprintf(stderr, "Gearwright: %s\n", gw_failure(engine));
    return;
  }
  gw_save(engine, kept);
  out[0] = 0.0;
}

void dll_update(const double *in, double *out) {
  if (!engine) {
    fprintf(stderr, "Gearwright: dll_update before dll_init\n");
    out[0] = out[1] = 0.0;
    out[2] = 1.0;
    return;
  }
  if (fabs(in[0] - last) < 1e-3 * step) {
    answer(out, 0);
    return;
  }
  last = in[0];
  int failed = 0;
  gw_load(engine, kept);
  if (begun) failed = advance(in[0] - step, known[0], in[1], braking);
  known[2] = begun ? known[1] : in[1];
  known[1] = begun ? known[0] : in[1];
  known[0] = in[1];
  begun = 1;
  braking = in[2];
  gw_save(engine, kept);
  if (!failed) failed = advance(in[0], known[0], 3.0 * known[0] - 3.0 * known[1] + known[2], braking);
  if (failed) fprintf(stderr, "Gearwright: %s\n", gw_failure(engine));
  answer(out, failed);
}
