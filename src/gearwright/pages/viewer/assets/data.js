// The numbers of a scene: tracks unpacked, state at a time, contacts of a mesh, colours.
var GearwrightData = (function () {
  "use strict";
  var MAP = [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37]];

  function bytes(text) {
    var raw = atob(text), out = new Uint8Array(raw.length);
    for (var i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
    return out.buffer;
  }

  // lowest, highest, mean, and the value at a place between samples
  function Track(record, count) {
    this.constant = record.data === undefined ? record.constant || 0 : null;
    this.low = this.high = this.mean = this.constant || 0;
    if (record.data === undefined) return;
    this.numbers = new Uint16Array(bytes(record.data));
    this.offset = record.offset;
    this.scale = record.scale;
    var low = 65534, high = 0, sum = 0, n = 0;
    for (var i = 0; i < count; i++) {
      var v = this.numbers[i];
      if (v === 65535) continue;
      if (v < low) low = v;
      if (v > high) high = v;
      sum += v; n++;
    }
    this.low = this.offset + this.scale * low;
    this.high = this.offset + this.scale * high;
    this.mean = this.offset + this.scale * sum / Math.max(n, 1);
  }
  Track.prototype.sample = function (i) {
    if (this.constant !== null) return this.constant;
    var v = this.numbers[i];
    return v === 65535 ? NaN : this.offset + this.scale * v;
  };
  Track.prototype.at = function (i, part) {
    if (this.constant !== null) return this.constant;
    var a = this.numbers[i], b = this.numbers[Math.min(i + 1, this.numbers.length - 1)];
    if (a === 65535 || b === 65535) return 0;
    return this.offset + this.scale * (a + part * (b - a));
  };

  function unpack(scene) {
    var play = scene.play, names = {}, out = { deviation: [], force: {}, turned: [] };
    scene.bodies.forEach(function (b, i) { names[b.name] = i; out.deviation.push(null); });
    out.turned = play.turned.map(function (t) { return new Float64Array(bytes(t.doubles)); });
    Object.keys(play.deviation).forEach(function (name) {
      var moved = {};
      Object.keys(play.deviation[name]).forEach(function (m) { moved[m] = new Track(play.deviation[name][m], play.count); });
      if (names[name] !== undefined) out.deviation[names[name]] = moved;
    });
    out.free = scene.bodies.map(function (b) {
      var track = {}, own = (play.free || {})[b.name];
      if (!own) return null;
      Object.keys(own).forEach(function (k) { track[k] = new Track(own[k], play.count); });
      return track;
    });
    Object.keys(play.force).forEach(function (kind) {
      out.force[kind] = {};
      Object.keys(play.force[kind]).forEach(function (element) {
        out.force[kind][element] = {};
        Object.keys(play.force[kind][element]).forEach(function (q) {
          out.force[kind][element][q] = new Track(play.force[kind][element][q], play.count);
        });
      });
    });
    return out;
  }

  function colour(x, into) {
    var u = Math.max(0, Math.min(1, x)) * 8, i = Math.min(7, Math.floor(u)), f = u - i, a = MAP[i], b = MAP[i + 1];
    return into.setRGB((a[0] + f * (b[0] - a[0])) / 255, (a[1] + f * (b[1] - a[1])) / 255, (a[2] + f * (b[2] - a[2])) / 255, "srgb");
  }

  // Contacts of one flank: calls each(s, polar angle, radius) from the centre of wheel 1 in the frame of the mesh.
  // theta: angle of a tooth of wheel 1 seen from that frame; sigma of the flank.
  function contacts(mesh, sigma, theta, half, out) {
    var s = mesh.base[0] * (sigma * (theta - mesh.angle) + half + mesh.workingAngle), n = 0;
    if (!mesh.teeth) {
      out[0] = mesh.base[0] * Math.tan(mesh.workingAngle);
      return 1;
    }
    s = mesh.start + ((s - mesh.start) % mesh.pitch + mesh.pitch) % mesh.pitch;
    for (; s <= mesh.end && n < 8; s += mesh.pitch) out[n++] = s;
    return n;
  }

  // Hertzian pressure of a line load w [N/m] at arc s of wheel 1
  function pressure(mesh, w, s) {
    var sum = (mesh.internal ? mesh.base[1] - mesh.base[0] : mesh.base[0] + mesh.base[1]) * Math.tan(mesh.workingAngle);
    var s2 = mesh.internal ? sum + s : sum - s;
    var curvature = mesh.internal ? 1 / s - 1 / s2 : 1 / s + 1 / s2;
    return s > 0 && s2 > 0 ? Math.sqrt(Math.max(w, 0) * mesh.modulus * curvature / Math.PI) : 0;
  }

  function nice(x) {
    if (!(x > 0)) return 0;
    var e = Math.pow(10, Math.floor(Math.log10(x))), m = x / e;
    return (m >= 5 ? 5 : m >= 2 ? 2 : 1) * e;
  }

  function say(x, unit) {
    if (!isFinite(x)) return "\u2013";
    var size = Math.abs(x), steps = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "\u00b5"], [1e-9, "n"]];
    if (size === 0) return "0 " + unit;
    var s = steps[steps.length - 1];
    for (var i = 0; i < steps.length; i++) if (size >= steps[i][0]) { s = steps[i]; break; }
    return Number((x / s[0]).toPrecision(3)) + "\u202f" + s[1] + unit;
  }

  return { unpack: unpack, colour: colour, contacts: contacts, pressure: pressure, nice: nice, say: say, MAP: MAP };
})();
