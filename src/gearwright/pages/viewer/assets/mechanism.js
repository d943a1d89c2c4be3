// Mechanisms: bodies that move by their own position and Euler parameters, forces of joints as arrows.
var GearwrightMechanism = (function () {
  "use strict";
  var T = THREE, S = GearwrightShapes, up = new T.Vector3(0, 1, 0), point = new T.Vector3(), force = new T.Vector3();

  function between(from, to, radius) {
    var a = new T.Vector3().fromArray(from), b = new T.Vector3().fromArray(to), way = b.clone().sub(a), long = way.length();
    var g = new T.CylinderGeometry(radius, radius, long, 16);
    g.applyQuaternion(new T.Quaternion().setFromUnitVectors(up, way.normalize()));
    g.translate(0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z));
    return g;
  }

  function wheel(s) {
    var g, thick = 0.12 * s.radius;
    if (s.ring) {
      g = S.annulus(-0.5 * s.width, 0.5 * s.width, s.radius, s.radius + thick, 96);
      g.rotateZ(Math.PI / 2);
    } else g = new T.CylinderGeometry(s.radius, s.radius, s.width, 72);
    g.applyQuaternion(new T.Quaternion().setFromUnitVectors(up, new T.Vector3().fromArray(s.axis).normalize()));
    g.translate(s.at[0], s.at[1], s.at[2]);
    return g;
  }

  // a spoke on both faces, so that turning is seen
  function spoke(s) {
    var axis = new T.Vector3().fromArray(s.axis).normalize();
    var across = Math.abs(axis.x) < 0.9 ? new T.Vector3(1, 0, 0) : new T.Vector3(0, 1, 0);
    across.sub(axis.clone().multiplyScalar(across.dot(axis))).normalize();
    var c = new T.Vector3().fromArray(s.at), list = [];
    [-0.506, 0.506].forEach(function (side) {
      var from = c.clone().addScaledVector(axis, side * s.width), to = from.clone();
      if (s.ring) from.addScaledVector(across, s.radius);
      to.addScaledVector(across, (s.ring ? 1.12 : 1) * s.radius);
      list.push(from.x, from.y, from.z, to.x, to.y, to.z);
    });
    return S.lines(list, "#1d2733", 0.9);
  }

  function build(viewer) {
    viewer.scene.free.shapes.forEach(function (shapes, n) {
      var group = viewer.bodies[n].group, colour = viewer.scene.bodies[n].colour[0];
      shapes.forEach(function (s) {
        var g;
        if (s.kind === "box") g = new T.BoxGeometry(s.size[0], s.size[1], s.size[2]);
        else if (s.kind === "ball") { g = new T.SphereGeometry(s.radius, 20, 14); g.translate(s.at[0], s.at[1], s.at[2]); }
        else if (s.kind === "strut") g = between(s.from, s.to, s.radius);
        else { g = wheel(s); group.add(spoke(s)); }
        var mesh = new T.Mesh(g, S.material(colour, viewer.clip));
        if (s.kind === "ball") mesh.material.color.lerp(new T.Color("#1d2733"), 0.4);
        if (s.kind === "disc") viewer.bodies[n].radius = Math.max(viewer.bodies[n].radius, s.radius);
        group.add(mesh);
      });
    });
    place(viewer, { i: 0, part: 0 });
  }

  function place(viewer, at) {
    viewer.data.free.forEach(function (t, n) {
      if (!t) return;
      var group = viewer.bodies[n].group;
      group.position.set(t.x.at(at.i, at.part), t.y.at(at.i, at.part), t.z.at(at.i, at.part));
      group.quaternion.set(t.e1.at(at.i, at.part), t.e2.at(at.i, at.part), t.e3.at(at.i, at.part), t.e0.at(at.i, at.part)).normalize();
    });
  }

  // room for the whole motion
  function box(viewer) {
    var all = new T.Box3().setFromObject(viewer.world);
    for (var k = 1; k <= 12; k++) {
      place(viewer, { i: Math.min(viewer.scene.play.count - 2, Math.floor(k / 12 * (viewer.scene.play.count - 1))), part: 0 });
      viewer.world.updateMatrixWorld(true);
      all.union(new T.Box3().setFromObject(viewer.world));
    }
    place(viewer, { i: 0, part: 0 });
    return all;
  }

  function largest(viewer) {
    var top = 0, tracks = viewer.data.force.bearing || {};
    Object.keys(tracks).forEach(function (n) { top = Math.max(top, tracks[n].force.high); });
    return top;
  }

  function update(viewer, at) {
    var arrows = 0, top = viewer.top ? viewer.top.force : 0;
    place(viewer, at);
    viewer.scene.free.arrows.forEach(function (a) {
      if (!viewer.show.forces) return;
      force.set(viewer.value("bearing", a.name, "force_x"), viewer.value("bearing", a.name, "force_y"), viewer.value("bearing", a.name, "force_z"));
      var size = force.length(), group = viewer.bodies[a.body].group;
      if (!(size > 1e-3 * top)) return;
      group.updateMatrixWorld(true);
      point.fromArray(a.point).applyMatrix4(group.matrixWorld);
      force.multiplyScalar(1 / size);
      viewer.shade(a.gear ? "#b23a48" : "#5a8f3c");
      viewer.pointed(arrows++, point.x, point.y, point.z, force.x, force.y, force.z, 0.55 * viewer.scene.size * size / top);
    });
    for (var k = 0; k < 2; k++) viewer.finish(viewer.arrowParts[k], arrows);
  }

  return { build: build, box: box, largest: largest, update: update };
})();
