// The three-dimensional view of a drivetrain. GearwrightViewer.mount(element, scene) draws into an element;
// elements of class gw-viewer with data-scene="ID" are mounted by themselves when they come into sight.
var GearwrightViewer = (function () {
  "use strict";
  var T = THREE, S = GearwrightShapes, D = GearwrightData, EDGE = "#1d2733", GREY = new T.Color("#aab2bb");
  var MOST = 8, SLICES = 5, viewers = [];

  function Viewer(element, scene) {
    this.element = element;
    this.scene = scene;
    this.data = D.unpack(scene);
    this.time = scene.play.start;
    this.speed = scene.free ? 1 : 0.02; // mesh cycles are too fast to be seen
    this.magnify = 1;
    this.mode = -1;
    this.colours = "load";
    this.playing = false;
    this.dirty = true;
    this.cost = 0;
    this.worst = 0;
    this.clock = 0;
    this.follow = -1;
    this.plane = null;
    this.loop = null;
    this.show = { forces: true, housing: true, cut: false, mean: false };
    this.renderer = new T.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true, powerPreference: "high-performance" });
    this.renderer.localClippingEnabled = true;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    this.world = new T.Scene();
    this.camera = new T.OrthographicCamera(-1, 1, 1, -1, -1000, 1000);
    this.camera.up.set(0, 0, 1);
    this.build();
  }

  Viewer.prototype.build = function () {
    var scene = this.scene, self = this, clip = (this.clip = []);
    this.world.add(new T.HemisphereLight("#ffffff", "#8d96a3", 2.1));
    var sun = new T.DirectionalLight("#ffffff", 2.0);
    sun.position.set(-3, -5, 7);
    this.world.add(sun);
    this.bodies = scene.bodies.map(function (b) {
      var group = new T.Group();
      group.position.set(0, b.place[0], b.place[1]);
      self.world.add(group);
      return { group: group, angle: 0, rigid: 0, radius: 0.2 * scene.size, y: b.place[0], z: b.place[1] };
    });
    this.discs = scene.discs.map(function (d) {
      var made = S.wheel(d, scene.bodies[d.body].colour[0], clip, EDGE);
      self.bodies[d.body].group.add(made.group);
      self.bodies[d.body].radius = Math.max(self.bodies[d.body].radius, d.radius);
      made.lit = [];
      return made;
    });
    scene.carriers.forEach(function (c) {
      self.bodies[c.body].group.add(S.carrier(c, scene.bodies[c.body].colour[0], clip));
      self.bodies[c.body].radius = c.radius;
    });
    this.rods = scene.rods.map(function (r) {
      var a = r.bodies[0], b = r.bodies[1], own = a === b;
      var mesh = new T.Mesh(S.rod(r), S.material(own ? scene.bodies[a].colour[0] : "#8a8f98", clip));
      if (own) mesh.material.color.lerp(new T.Color("#ffffff"), 0.2);
      self.bodies[a].group.add(mesh);
      var steps = own ? 1 : 10, stripes = S.lines(new Array(4 * steps * 6).fill(0), EDGE, 0.8);
      stripes.material.clippingPlanes = clip;
      stripes.frustumCulled = false;
      stripes.geometry.attributes.position.setUsage(T.DynamicDrawUsage);
      self.world.add(stripes);
      var shaft = scene.shafts.filter(function (s) { return s.bodies[0] === a && s.bodies[1] === b && !own; })[0];
      return { item: r, mesh: mesh, stripes: stripes, steps: steps, shaft: shaft, colour: mesh.material.color.clone() };
    });
    scene.ends.forEach(function (e) {
      var c = scene.bodies[e.body].colour[0], group = self.bodies[e.body].group;
      if (e.kind === "rotor") group.add(S.rotor(e, c, clip));
      else if (e.kind === "machine") {
        var made = S.machine(e, c, clip);
        group.add(made.turning);
        made.frame.position.copy(group.position);
        self.world.add(made.frame);
      } else group.add(S.body(e, c, clip, EDGE));
      self.bodies[e.body].radius = Math.max(self.bodies[e.body].radius, 0.4 * e.radius);
    });
    this.bearings = scene.bearings.map(function (b) {
      if (b.ring) return { item: b };
      var made = S.rollers(b, clip);
      made.rollers.material.color.set("#6f9a58");
      self.world.add(made.group);
      return { item: b, group: made.group, rollers: made.rollers };
    });
    if (scene.free) GearwrightMechanism.build(this);
    this.box = scene.free ? GearwrightMechanism.box(this) : new T.Box3().setFromObject(this.world);
    this.housing = S.housing(scene.housing, "#5b6672");
    this.world.add(this.housing);
    this.ground = S.ground(this.box);
    this.world.add(this.ground);
    this.middle = this.box.getCenter(new T.Vector3());
    this.radius = 0.5 * this.box.getSize(new T.Vector3()).length();
    // overlays: bars along the contact lines, arrows of tooth and bearing forces
    var bar = new T.CylinderGeometry(0.5, 0.5, 1, 8);
    bar.rotateZ(Math.PI / 2);
    var count = scene.meshes.length * MOST * SLICES;
    this.bars = this.overlay(bar, count, true);
    var tip = new T.ConeGeometry(0.055, 0.2, 14), stem = new T.CylinderGeometry(0.018, 0.018, 0.8, 10);
    tip.translate(0, 0.9, 0);
    stem.translate(0, 0.4, 0);
    var most = 2 * MOST * scene.meshes.length + scene.bearings.length + (scene.free ? scene.free.arrows.length : 0);
    this.arrowParts = [this.overlay(tip, most), this.overlay(stem, most)];
    this.limits();
    this.update();
  };

  Viewer.prototype.overlay = function (geometry, count, deep) {
    var m = new T.InstancedMesh(geometry, new T.MeshBasicMaterial({ depthTest: !!deep, transparent: !deep }), Math.max(count, 1));
    m.instanceMatrix.setUsage(T.DynamicDrawUsage);
    m.setColorAt(0, GREY);
    m.frustumCulled = false;
    m.renderOrder = deep ? 0 : 10;
    m.count = 0;
    this.world.add(m);
    return m;
  };

  // largest forces, loads, pressures and energies of the whole series: the ends of the colour map
  Viewer.prototype.limits = function () {
    var data = this.data, self = this, top = { force: 0, load: 0, pressure: 0, energy: 0 };
    function size(t) { return t ? Math.max(Math.abs(t.low), Math.abs(t.high)) : 0; }
    this.scene.meshes.forEach(function (m) {
      var f = (data.force.mesh || {})[m.name];
      if (!f) return;
      var largest = Math.max(size(f.force), size(f.drive_force), size(f.coast_force));
      var pairs = m.teeth ? Math.max(1, Math.floor((m.end - m.start) / m.pitch)) : 1;
      top.force = Math.max(top.force, largest);
      top.load = Math.max(top.load, largest / pairs / m.width);
      for (var k = 0; k <= 10; k++) {
        top.pressure = Math.max(top.pressure, D.pressure(m, largest / pairs / m.width, m.start + (0.1 + 0.08 * k) * (m.end - m.start)));
      }
      if (m.stiffness) top.energy = Math.max(top.energy, 0.5 * largest * largest / m.stiffness);
    });
    this.scene.bearings.forEach(function (b) {
      var f = (data.force.bearing || {})[b.name];
      if (!f) return;
      var largest = Math.max(size(f.force_y), size(f.force_z));
      top.force = Math.max(top.force, largest);
      if (b.stiffness && self.scene.fidelity !== "torsional") top.energy = Math.max(top.energy, 0.5 * largest * largest / b.stiffness);
    });
    this.scene.shafts.forEach(function (s) {
      var f = (data.force.shaft || {})[s.name];
      if (f && s.stiffness) top.energy = Math.max(top.energy, 0.5 * Math.pow(size(f.torque), 2) / s.stiffness);
    });
    if (this.scene.free) top.force = GearwrightMechanism.largest(this);
    this.top = top;
    this.unit = { load: ["N/m", "Tooth load per width"], pressure: ["Pa", "Contact pressure"], energy: ["J", "Strain energy"] };
    var largest = 0;
    data.deviation.forEach(function (moved, i) {
      Object.keys(moved || {}).forEach(function (m) {
        var turns = m === "rotation" || m.indexOf("tilt") === 0;
        largest = Math.max(largest, Math.max(Math.abs(moved[m].low), Math.abs(moved[m].high)) * (turns ? self.bodies[i].radius : 1));
      });
    });
    this.largest = largest;
  };

  Viewer.prototype.sweep = function (sample) {
    var play = this.scene.play, u = (this.time - play.start) / play.step;
    if (!play.steady) u = Math.max(0, Math.min(play.count - 1, u));
    sample.i = play.steady ? 0 : Math.min(Math.floor(u), play.count - 2);
    sample.part = u - sample.i;
    return sample;
  };

  var at = { i: 0, part: 0 }, out = new Float64Array(16), euler = new T.Quaternion(), axis = new T.Vector3();
  var turning = new T.Quaternion(), matrix = new T.Matrix4(), position = new T.Vector3(), scaling = new T.Vector3();
  var hue = new T.Color(), up = new T.Vector3(0, 1, 0), forward = new T.Vector3(1, 0, 0), direction = new T.Vector3();

  Viewer.prototype.moved = function (b, what) {
    if (this.mode >= 0) {
      var shape = this.scene.modes[this.mode].shape[this.scene.bodies[b].name];
      return shape && shape[what] ? shape[what] * this.amplitude * this.swing : 0;
    }
    var m = this.data.deviation[b];
    if (!m || !m[what]) return 0;
    return (m[what].at(at.i, at.part) - (this.show.mean ? m[what].mean : 0)) * this.magnify;
  };

  Viewer.prototype.update = function () {
    var scene = this.scene, self = this, n, i;
    this.sweep(at);
    if (scene.free) return GearwrightMechanism.update(this, at);
    var phi = this.data.turned.map(function (t) { return t[at.i] + at.part * (t[at.i + 1] - t[at.i]); });
    if (this.mode >= 0) {
      phi = phi.map(function () { return 0; });
      this.swing = Math.sin(Math.PI * this.clock);
    }
    for (n = 0; n < scene.bodies.length; n++) {
      var b = this.bodies[n], share = scene.bodies[n].share;
      b.rigid = 0;
      for (i = 0; i < share.length; i++) b.rigid += share[i] * phi[i];
      b.angle = b.rigid + this.moved(n, "rotation");
    }
    for (n = 0; n < scene.bodies.length; n++) this.place(n);
    this.stripes();
    for (n = 0; n < this.bearings.length; n++) {
      var bearing = this.bearings[n], item = bearing.item;
      if (!bearing.group) continue;
      bearing.group.position.copy(this.bodies[item.body].group.position);
      bearing.group.rotation.x = 0.5 * (this.bodies[item.body].angle + (item.on >= 0 ? this.bodies[item.on].angle : 0));
    }
    this.forces();
  };

  Viewer.prototype.place = function (n) {
    var item = this.scene.bodies[n], b = this.bodies[n], data = this.data.deviation[n] || {};
    var own = this.mode >= 0 ? (this.scene.modes[this.mode].shape[item.name] || {}) : data;
    var free = "y" in own || "z" in own;
    b.y = item.place[0];
    b.z = item.place[1];
    if (item.on >= 0 && item.pin[0]) {
      var carrier = this.bodies[item.on], base = this.scene.bodies[item.on].place;
      // a planet whose own displacement is known absolutely does not ride on its carrier's deviation as well
      var turn = item.pin[1] + (free && !this.scene.play.relative ? carrier.rigid : carrier.angle);
      b.y = base[0] + item.pin[0] * Math.cos(turn);
      b.z = base[1] + item.pin[0] * Math.sin(turn);
    }
    var y = this.moved(n, "y"), z = this.moved(n, "z"), frame = item.frame >= 0 ? this.bodies[item.frame].rigid : 0;
    b.y += y * Math.cos(frame) - z * Math.sin(frame);
    b.z += y * Math.sin(frame) + z * Math.cos(frame);
    b.group.position.set(this.moved(n, "x"), b.y, b.z);
    turning.setFromAxisAngle(forward, b.angle);
    var ty = this.moved(n, "tilt_y"), tz = this.moved(n, "tilt_z"), tilt = Math.hypot(ty, tz);
    if (tilt > 0) {
      axis.set(0, (ty * Math.cos(frame) - tz * Math.sin(frame)) / tilt, (ty * Math.sin(frame) + tz * Math.cos(frame)) / tilt);
      turning.premultiply(euler.setFromAxisAngle(axis, tilt));
    }
    b.group.quaternion.copy(turning);
  };

  Viewer.prototype.stripes = function () {
    for (var n = 0; n < this.rods.length; n++) {
      var rod = this.rods[n], r = rod.item, a = this.bodies[r.bodies[0]], b = this.bodies[r.bodies[1]];
      var list = rod.stripes.geometry.attributes.position.array, k = 0, radius = 1.004 * r.radius;
      if (r.segments) radius = 1.004 * Math.max.apply(null, r.segments.map(function (s) { return s[1]; }));
      for (var q = 0; q < 4; q++) {
        for (var j = 0; j < rod.steps; j++) {
          for (var e = 0; e < 2; e++) {
            var u = (j + e) / rod.steps, angle = a.angle + u * (b.angle - a.angle) + q * Math.PI / 2;
            list[k++] = r.x[0] + u * (r.x[1] - r.x[0]);
            list[k++] = a.y + u * (b.y - a.y) + radius * Math.cos(angle);
            list[k++] = a.z + u * (b.z - a.z) + radius * Math.sin(angle);
          }
        }
      }
      rod.stripes.geometry.attributes.position.needsUpdate = true;
    }
  };

  Viewer.prototype.value = function (kind, name, quantity) {
    var found = (this.data.force[kind] || {})[name];
    return found && found[quantity] ? found[quantity].at(at.i, at.part) : 0;
  };

  Viewer.prototype.forces = function () {
    var scene = this.scene, n, k, arrows = 0, bars = 0, drawn = this.mode < 0 && this.show.forces;
    for (n = 0; n < this.discs.length; n++) {
      var disc = this.discs[n];
      if (!disc.teeth) continue;
      if (disc.tinted !== this.colours) {
        disc.tinted = this.colours;
        disc.base = disc.colour.clone();
        if (this.colours !== "parts") disc.base.lerp(GREY, 0.6);
        disc.rim.material.color.copy(disc.base);
        for (k = 0; k < scene.discs[n].teeth; k++) disc.teeth.setColorAt(k, disc.base);
        disc.lit.length = 0;
      }
      for (k = 0; k < disc.lit.length; k++) disc.teeth.setColorAt(disc.lit[k], disc.base);
      disc.lit.length = 0;
    }
    for (n = 0; n < scene.meshes.length && this.mode < 0; n++) {
      var mesh = scene.meshes[n], f = (this.data.force.mesh || {})[mesh.name];
      if (!f) continue;
      var seen = !this.plane || scene.discs[mesh.discs[0]].plane === this.plane.name;
      var flanks = f.coast_force ? [[1, this.value("mesh", mesh.name, "drive_force")], [-1, this.value("mesh", mesh.name, "coast_force")]] : [[1, this.value("mesh", mesh.name, "force")]];
      for (k = 0; k < flanks.length; k++) {
        if (!(flanks[k][1] > 1e-6 * this.top.force)) continue;
        arrows = this.contact(mesh, flanks[k][0] * mesh.sigma, flanks[k][1], arrows, drawn && seen);
        bars = this.line(mesh, flanks[k][0] * mesh.sigma, flanks[k][1], bars, drawn && seen);
      }
    }
    for (n = 0; n < scene.bearings.length && drawn; n++) arrows = this.support(scene.bearings[n], arrows);
    this.energies();
    for (k = 0; k < 2; k++) this.finish(this.arrowParts[k], arrows);
    this.finish(this.bars, bars);
    for (n = 0; n < this.discs.length; n++) if (this.discs[n].teeth && this.discs[n].teeth.instanceColor) this.discs[n].teeth.instanceColor.needsUpdate = true;
  };

  Viewer.prototype.finish = function (instances, count) {
    instances.count = count;
    instances.instanceMatrix.needsUpdate = true;
    if (instances.instanceColor) instances.instanceColor.needsUpdate = true;
  };

  // value of the chosen colour at a contact
  Viewer.prototype.heat = function (mesh, force, pairs, s) {
    var w = force / pairs / mesh.width;
    if (this.colours === "pressure") return D.pressure(mesh, w, s) / this.top.pressure;
    if (this.colours === "energy") return mesh.stiffness ? 0.5 * force * force / mesh.stiffness / this.top.energy : 0;
    return w / this.top.load;
  };

  Viewer.prototype.teethAngle = function (mesh) {
    var disc = this.scene.discs[mesh.discs[0]], frame = mesh.on >= 0 ? this.bodies[mesh.on].angle : 0;
    return this.bodies[disc.body].angle + (disc.offset || 0) - frame;
  };

  Viewer.prototype.contact = function (mesh, sigma, force, arrows, drawn) {
    var one = this.scene.discs[mesh.discs[0]], two = this.scene.discs[mesh.discs[1]];
    var frame = mesh.on >= 0 ? this.bodies[mesh.on].angle : 0, a = this.bodies[one.body], b = this.bodies[two.body];
    var theta = this.teethAngle(mesh), pairs = D.contacts(mesh, sigma, theta, one.half || 0, out);
    var front = one.x - 0.5 * Math.max(one.width, two.width), length = 0.55 * this.scene.size * force / pairs / this.top.force;
    var tau = mesh.angle + frame - sigma * mesh.workingAngle, fy = sigma * Math.sin(tau), fz = -sigma * Math.cos(tau);
    for (var k = 0; k < pairs; k++) {
      var s = out[k], radius = Math.hypot(mesh.base[0], s), polar = mesh.angle + frame + sigma * (Math.atan2(s, mesh.base[0]) - mesh.workingAngle);
      var y = a.y + radius * Math.cos(polar), z = a.z + radius * Math.sin(polar), heat = this.heat(mesh, force, pairs, s);
      this.light(mesh.discs[0], polar - a.angle - sigma * this.half(one, radius), heat);
      var dy = y - b.y, dz = z - b.z, r2 = Math.hypot(dy, dz);
      this.light(mesh.discs[1], Math.atan2(dz, dy) - b.angle - (two.ring ? -sigma : sigma) * this.half(two, r2), heat);
      if (!drawn) continue;
      if (this.colours === "parts") hue.set("#b23a48"); else D.colour(heat, hue);
      this.arrow(arrows++, front, y, z, fy, fz, length);
      this.arrow(arrows++, front, y, z, -fy, -fz, length);
    }
    return arrows;
  };

  Viewer.prototype.half = function (disc, radius) {
    if (!disc.teeth) return 0;
    var alpha = Math.acos(Math.min(1, disc.base / radius)), psi = disc.half - (Math.tan(alpha) - alpha);
    return disc.ring ? Math.PI / disc.teeth - psi : psi;
  };

  Viewer.prototype.light = function (d, angle, heat) {
    var disc = this.discs[d], z = this.scene.discs[d].teeth;
    if (!disc.teeth || this.colours === "parts") return;
    var k = Math.round((angle - this.scene.discs[d].offset) / (2 * Math.PI / z)) % z;
    if (k < 0) k += z;
    D.colour(heat, hue);
    disc.teeth.setColorAt(k, hue);
    disc.lit.push(k);
  };

  // contact lines: where the flanks touch over the face, slice by slice
  Viewer.prototype.line = function (mesh, sigma, force, bars, drawn) {
    if (!drawn || !mesh.teeth) return bars;
    var one = this.scene.discs[mesh.discs[0]], frame = mesh.on >= 0 ? this.bodies[mesh.on].angle : 0, a = this.bodies[one.body];
    var theta = this.teethAngle(mesh), slices = Math.abs(one.twist) > 1e-9 ? SLICES : 1, thick = 0.0075 * this.scene.size;
    for (var j = 0; j < slices; j++) {
      var dx = mesh.width * ((j + 0.5) / slices - 0.5), pairs = D.contacts(mesh, sigma, theta + one.twist * dx, one.half, out);
      for (var k = 0; k < pairs && bars < this.bars.instanceMatrix.count; k++) {
        var s = out[k], radius = Math.hypot(mesh.base[0], s), polar = mesh.angle + frame + sigma * (Math.atan2(s, mesh.base[0]) - mesh.workingAngle);
        matrix.makeScale(mesh.width / slices * 1.005, thick, thick);
        matrix.setPosition(one.x + dx, a.y + radius * Math.cos(polar), a.z + radius * Math.sin(polar));
        if (this.colours === "parts") hue.set("#b23a48"); else D.colour(this.heat(mesh, force, pairs, s), hue);
        this.bars.setMatrixAt(bars, matrix);
        this.bars.setColorAt(bars++, hue);
      }
    }
    return bars;
  };

  // from (y, z) along (dy, dz); the tip is the far end
  Viewer.prototype.arrow = function (n, x, y, z, dy, dz, length) {
    this.pointed(n, x, y, z, 0, dy, dz, length);
  };

  // from a point along a unit vector, in the colour at hand
  Viewer.prototype.pointed = function (n, x, y, z, dx, dy, dz, length) {
    direction.set(dx, dy, dz);
    turning.setFromUnitVectors(up, direction);
    var wide = Math.max(1.2 * length, 0.3 * this.scene.size);
    matrix.compose(position.set(x, y, z), turning, scaling.set(wide, length, wide));
    for (var k = 0; k < 2; k++) {
      this.arrowParts[k].setMatrixAt(n, matrix);
      this.arrowParts[k].setColorAt(n, hue);
    }
  };

  Viewer.prototype.support = function (item, arrows) {
    var y = this.value("bearing", item.name, "force_y"), z = this.value("bearing", item.name, "force_z"), size = Math.hypot(y, z);
    if (!(size > 1e-3 * this.top.force) || (this.plane && Math.abs(item.x - this.plane.x) > this.plane.width)) return arrows;
    var body = this.scene.bodies[item.body], frame = body.frame >= 0 ? this.bodies[body.frame].rigid : 0, b = this.bodies[item.body];
    var c = Math.cos(frame), s = Math.sin(frame);
    hue.set("#5a8f3c");
    this.arrow(arrows, item.x - 0.55 * item.width, b.y, b.z, (y * c - z * s) / size, (y * s + z * c) / size, 0.55 * this.scene.size * size / this.top.force);
    return arrows + 1;
  };

  Viewer.prototype.energies = function () {
    var on = this.colours === "energy" && this.mode < 0, n;
    if (!on && !this.heated) return;
    this.heated = on;
    for (n = 0; n < this.rods.length; n++) {
      var rod = this.rods[n];
      if (on && rod.shaft) D.colour(0.5 * Math.pow(this.value("shaft", rod.shaft.name, "torque"), 2) / rod.shaft.stiffness / this.top.energy, rod.mesh.material.color);
      else rod.mesh.material.color.copy(rod.colour);
    }
    for (n = 0; n < this.bearings.length; n++) {
      var b = this.bearings[n];
      if (!b.rollers) continue;
      var f2 = Math.pow(this.value("bearing", b.item.name, "force_y"), 2) + Math.pow(this.value("bearing", b.item.name, "force_z"), 2);
      if (on && b.item.stiffness && this.scene.fidelity !== "torsional") D.colour(0.5 * f2 / b.item.stiffness / this.top.energy, b.rollers.material.color);
      else b.rollers.material.color.set("#6f9a58");
    }
  };

  // --- camera -----------------------------------------------------------------------------------------------

  Viewer.prototype.look = function (name) {
    var r = this.radius, c = this.middle, scene = this.scene, from = [-0.75, -1, 0.55], target = c.clone(), half = 0.62 * r;
    this.plane = null;
    this.follow = -1;
    this.clip.length = 0;
    if (name === "side") from = [0, -1, 0.001];
    if (name === "front") from = [-1, -0.001, 0.001];
    if (name === "cut") {
      from = [-0.35, -1, 0.35];
      this.clip.push(new T.Plane(new T.Vector3(0, 1, 0), -0.001 * r));
    }
    scene.views.forEach(function (v) { if (v.name === name) this.plane = v; }, this);
    if (name.indexOf("follow ") === 0) {
      scene.bodies.forEach(function (b, i) { if ("follow " + b.name === name) this.follow = i; }, this);
      var disc = scene.discs.filter(function (d) { return d.body === this.follow; }, this)[0];
      if (disc) this.plane = scene.views.filter(function (v) { return v.name === disc.plane; })[0];
    }
    if (this.plane) {
      from = [-1, -0.001, 0.001];
      var boxes = scene.discs.filter(function (d) { return d.plane === this.plane.name; }, this), low = [1e9, 1e9], high = [-1e9, -1e9];
      boxes.forEach(function (d) {
        var p = scene.bodies[d.body].place, reach = (d.tip || d.radius) * (d.ring ? 1.15 : 1.02);
        low = [Math.min(low[0], p[0] - reach), Math.min(low[1], p[1] - reach)];
        high = [Math.max(high[0], p[0] + reach), Math.max(high[1], p[1] + reach)];
      });
      target.set(this.plane.x, 0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]));
      half = 0.54 * Math.max(high[1] - low[1], (high[0] - low[0]) / Math.max(this.aspect || 1.6, 0.3));
      this.clip.push(new T.Plane(new T.Vector3(1, 0, 0), -(this.plane.x - 0.506 * this.plane.width)));
      this.clip.push(new T.Plane(new T.Vector3(-1, 0, 0), this.plane.x + 0.52 * this.plane.width));
      if (this.follow >= 0) half = 1.5 * this.bodies[this.follow].radius;
    } else half = this.fit(from);
    this.view = name;
    this.housing.visible = this.show.housing && !this.plane;
    this.ground.visible = !this.plane;
    this.span = half;
    this.camera.up.set(0, 0, 1);
    this.camera.zoom = 1;
    this.camera.position.copy(target).add(new T.Vector3(from[0], from[1], from[2]).normalize().multiplyScalar(3 * r));
    this.camera.near = -10 * r;
    this.camera.far = 20 * r;
    this.target = target;
    if (this.controls) this.controls.target.copy(target);
    this.frame();
    this.dirty = true;
  };

  // half height of a picture from a direction that holds everything
  Viewer.prototype.fit = function (from) {
    var back = new T.Vector3(from[0], from[1], from[2]).normalize(), right = new T.Vector3(0, 0, 1).cross(back).normalize();
    var over = back.clone().cross(right), high = 0, wide = 0, size = this.box.getSize(new T.Vector3()).multiplyScalar(0.5);
    for (var k = 0; k < 8; k++) {
      position.set((k & 1 ? 1 : -1) * size.x, (k & 2 ? 1 : -1) * size.y, (k & 4 ? 1 : -1) * size.z);
      high = Math.max(high, Math.abs(position.dot(over)));
      wide = Math.max(wide, Math.abs(position.dot(right)));
    }
    return 1.04 * Math.max(high, wide / Math.max(this.aspect || 1.6, 0.3));
  };

  Viewer.prototype.frame = function () {
    var c = this.camera, a = this.aspect || 1.6;
    c.left = -this.span * a; c.right = this.span * a; c.top = this.span; c.bottom = -this.span;
    c.updateProjectionMatrix();
    c.lookAt(this.controls ? this.controls.target : this.target);
  };

  Viewer.prototype.chase = function () {
    if (this.follow < 0) return;
    var b = this.bodies[this.follow], on = this.scene.bodies[this.follow].on, turn = on >= 0 ? this.bodies[on].angle : 0;
    this.camera.up.set(0, -Math.sin(turn), Math.cos(turn));
    this.camera.position.set(this.target.x - 3 * this.radius, b.y, b.z);
    this.camera.lookAt(this.target.x, b.y, b.z);
  };

  Viewer.prototype.resize = function (width, height) {
    this.aspect = width / height;
    this.renderer.setSize(width, height, false);
    if (this.view) this.frame();
    this.dirty = true;
  };

  Viewer.prototype.draw = function () {
    var begin = performance.now();
    this.update();
    this.chase();
    this.renderer.render(this.world, this.camera);
    if (this.onDraw) this.onDraw();
    var spent = performance.now() - begin;
    this.cost = this.cost ? 0.95 * this.cost + 0.05 * spent : spent;
    this.frames = (this.frames || 0) + 1;
    if (this.frames > 5) this.worst = Math.max(this.worst, spent);
    this.dirty = false;
  };

  Viewer.prototype.setMode = function (m) {
    this.mode = m;
    this.clock = 0;
    if (m >= 0) {
      var shape = this.scene.modes[m].shape, largest = 0, self = this;
      this.scene.bodies.forEach(function (b, i) {
        Object.keys(shape[b.name] || {}).forEach(function (k) {
          var turns = k === "rotation" || k.indexOf("tilt") === 0;
          largest = Math.max(largest, Math.abs(shape[b.name][k]) * (turns ? self.bodies[i].radius : 1));
        });
      });
      this.amplitude = 0.08 * this.scene.size * (this.strength || 1) / (largest || 1);
    }
    this.dirty = true;
  };

  Viewer.prototype.advance = function (seconds) {
    var play = this.scene.play, end = play.start + play.step * (play.count - 1);
    this.clock += seconds;
    if (this.mode < 0) {
      this.time += seconds * this.speed;
      if (this.loop && this.time >= this.loop[1]) this.time = this.loop[0] + (this.time - this.loop[0]) % (this.loop[1] - this.loop[0]);
      else if (!play.steady && this.time > end) this.time = play.start;
    }
    this.dirty = true;
  };

  Viewer.prototype.shade = function (colour) { hue.set(colour); };

  function webgl() {
    try { return !!document.createElement("canvas").getContext("webgl2"); } catch (e) { return false; }
  }

  function mount(element, scene) {
    if (!webgl()) {
      element.textContent = "The three-dimensional view needs WebGL, which this browser does not offer.";
      element.classList.add("gw-without");
      return null;
    }
    var viewer = new Viewer(element, scene);
    GearwrightControls.attach(viewer);
    viewers.push(viewer);
    return viewer;
  }

  function start() {
    Array.prototype.forEach.call(document.querySelectorAll(".gw-viewer[data-scene]"), function (element) {
      function go() { mount(element, JSON.parse(document.getElementById(element.getAttribute("data-scene")).textContent)); }
      if (!("IntersectionObserver" in window) || element.hasAttribute("data-now")) return go();
      var watch = new IntersectionObserver(function (seen) {
        if (seen.some(function (s) { return s.isIntersecting; })) { watch.disconnect(); go(); }
      }, { rootMargin: "300px" });
      watch.observe(element);
    });
  }

  return { mount: mount, start: start, viewers: viewers, Viewer: Viewer, webgl: webgl };
})();
