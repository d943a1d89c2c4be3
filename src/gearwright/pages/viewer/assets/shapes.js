// Bodies of the scene as three.js objects. Frame: x along the shafts from rotor to machine, y left looking
// downwind, z up; angles about +x from +y towards +z. Every body has a group at the place of its axis.
var GearwrightShapes = (function () {
  "use strict";
  var T = THREE;

  function flat(points, triangles) {
    var list = new Float32Array(triangles.length * 3);
    for (var i = 0; i < triangles.length; i++) {
      var p = points[triangles[i]];
      list[3 * i] = p[0]; list[3 * i + 1] = p[1]; list[3 * i + 2] = p[2];
    }
    var geometry = new T.BufferGeometry();
    geometry.setAttribute("position", new T.BufferAttribute(list, 3));
    geometry.computeVertexNormals();
    return geometry;
  }

  function merged(parts) {
    var count = 0, at = 0;
    parts = parts.map(function (g) { return g.index ? g.toNonIndexed() : g; });
    parts.forEach(function (g) { count += g.attributes.position.array.length; });
    var position = new Float32Array(count), normal = new Float32Array(count);
    parts.forEach(function (g) {
      position.set(g.attributes.position.array, at);
      normal.set(g.attributes.normal.array, at);
      at += g.attributes.position.array.length;
    });
    var geometry = new T.BufferGeometry();
    geometry.setAttribute("position", new T.BufferAttribute(position, 3));
    geometry.setAttribute("normal", new T.BufferAttribute(normal, 3));
    return geometry;
  }

  // a cylinder along x about (y, z)
  function cylinder(x0, x1, radius, y, z, sides) {
    var g = new T.CylinderGeometry(radius, radius, Math.abs(x1 - x0), sides || 40);
    g.rotateZ(Math.PI / 2);
    g.translate(0.5 * (x0 + x1), y || 0, z || 0);
    return g;
  }

  // a ring of rectangular section along x
  function annulus(x0, x1, inner, outer, sides) {
    var n = sides || 64, points = [], triangles = [];
    for (var i = 0; i < n; i++) {
      var c = Math.cos(2 * Math.PI * i / n), s = Math.sin(2 * Math.PI * i / n);
      points.push([x0, outer * c, outer * s], [x1, outer * c, outer * s], [x1, inner * c, inner * s], [x0, inner * c, inner * s]);
      for (var k = 0; k < 4; k++) {
        var a = 4 * i + k, b = 4 * i + (k + 1) % 4, next = 4 * ((i + 1) % n);
        triangles.push(a, next + k, b, b, next + k, next + (k + 1) % 4);
      }
    }
    return flat(points, triangles);
  }

  function lines(points, colour, opacity) {
    var g = new T.BufferGeometry();
    g.setAttribute("position", new T.BufferAttribute(new Float32Array(points), 3));
    return new T.LineSegments(g, new T.LineBasicMaterial({ color: colour, transparent: true, opacity: opacity || 1 }));
  }

  // half profile (root to tip) -> one pitch: root, flank, tip, flank, root
  function pitchProfile(disc) {
    var r = disc.profile[0], a = disc.profile[1], half = Math.PI / disc.teeth, out = [], i;
    if (half - a[0] > 1e-9) out.push([r[0], -half]);
    for (i = 0; i < r.length; i++) out.push([r[i], -a[i]]);
    for (i = r.length - 1; i >= 0; i--) out.push([r[i], a[i]]);
    if (half - a[0] > 1e-9) out.push([r[0], half]);
    return out;
  }

  // radius between a tooth and the rim below it
  function foot(disc) {
    return disc.ring ? disc.root * 1.0005 : disc.root * 0.9995;
  }

  function tooth(disc) {
    var profile = pitchProfile(disc), n = profile.length, half = Math.PI / disc.teeth, below = foot(disc);
    var slices = Math.abs(disc.twist) > 1e-9 ? 6 : 1, points = [], triangles = [];
    for (var j = 0; j <= slices; j++) {
      var dx = disc.width * (j / slices - 0.5), turn = disc.twist * dx;
      for (var i = 0; i < n; i++) {
        var angle = profile[i][1] + turn, r = profile[i][0];
        points.push([disc.x + dx, r * Math.cos(angle), r * Math.sin(angle)]);
        var back = half * (2 * i / (n - 1) - 1) + turn;
        points.push([disc.x + dx, below * Math.cos(back), below * Math.sin(back)]);
      }
    }
    function quad(a, b, c, d) { triangles.push(a, b, c, a, c, d); }
    var row = 2 * n;
    for (i = 0; i + 1 < n; i++) {
      for (j = 0; j < slices; j++) {
        var p = j * row + 2 * i;
        if (disc.ring) {
          quad(p, p + row, p + row + 2, p + 2);
          quad(p + 1, p + 3, p + row + 3, p + row + 1);
        } else {
          quad(p, p + 2, p + row + 2, p + row);
          quad(p + 1, p + row + 1, p + row + 3, p + 3);
        }
      }
      var last = slices * row + 2 * i;
      quad(2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2);
      quad(last, last + 2, last + 3, last + 1);
    }
    return flat(points, triangles);
  }

  function outline(disc) {
    var profile = pitchProfile(disc), points = [], pitch = 2 * Math.PI / disc.teeth;
    [-0.5, 0.5].forEach(function (side) {
      var x = disc.x + side * disc.width * 1.002, turn = disc.offset + disc.twist * side * disc.width;
      for (var k = 0; k < disc.teeth; k++) {
        for (var i = 0; i + 1 < profile.length; i++) {
          for (var e = 0; e < 2; e++) {
            var q = profile[i + e], angle = q[1] + k * pitch + turn;
            points.push(x, q[0] * Math.cos(angle), q[0] * Math.sin(angle));
          }
        }
      }
    });
    return points;
  }

  function material(colour, clip, more) {
    var m = new T.MeshStandardMaterial(Object.assign({ color: colour, roughness: 0.62, metalness: 0.12, side: T.DoubleSide }, more || {}));
    m.clippingPlanes = clip;
    return m;
  }

  // One wheel: instanced teeth (a colour each), web, edges.
  function wheel(disc, colour, clip, edge) {
    var group = new T.Group(), teeth = null, base = new T.Color(colour);
    if (disc.teeth) {
      teeth = new T.InstancedMesh(tooth(disc), material("#ffffff", clip), disc.teeth);
      var turn = new T.Matrix4();
      for (var k = 0; k < disc.teeth; k++) {
        turn.makeRotationX(disc.offset + 2 * Math.PI * k / disc.teeth);
        teeth.setMatrixAt(k, turn);
        teeth.setColorAt(k, base);
      }
      teeth.frustumCulled = false;
      group.add(teeth);
      var x0 = disc.x - 0.5 * disc.width, x1 = disc.x + 0.5 * disc.width, sides = Math.min(2 * disc.teeth, 160);
      var rim = new T.Mesh(annulus(x0, x1, disc.ring ? foot(disc) : disc.rim, disc.ring ? disc.rim : foot(disc), sides), material(base, clip));
      group.add(rim);
      var drawn = lines(outline(disc), edge, 0.75);
      drawn.material.clippingPlanes = clip;
      group.add(drawn);
      if (!disc.ring && !disc.bore) {
        var web = [annulus(disc.x - 0.2 * disc.width, disc.x + 0.2 * disc.width, 0.3 * disc.rim, disc.rim * 1.001),
          cylinder(disc.x - 0.5 * disc.width, disc.x + 0.5 * disc.width, 0.62 * disc.rim)];
        group.add(new T.Mesh(merged(web), material(base.clone().lerp(new T.Color("#ffffff"), 0.25), clip)));
      }
    } else {
      var inner = disc.ring ? disc.radius : disc.bore || 0.02 * disc.radius, outer = disc.ring ? disc.bore : disc.radius;
      group.add(new T.Mesh(annulus(disc.x - 0.5 * disc.width, disc.x + 0.5 * disc.width, inner, outer, 96), material(base, clip)));
      var marks = [];
      for (k = 0; k < 12; k++) {
        var c = Math.cos(k * Math.PI / 6), s = Math.sin(k * Math.PI / 6), from = k ? 0.85 * outer + 0.15 * inner : inner;
        [-0.503, 0.503].forEach(function (side) {
          marks.push(disc.x + side * disc.width, from * c, from * s, disc.x + side * disc.width, outer * c, outer * s);
        });
      }
      var drawnMarks = lines(marks, edge, 0.9);
      drawnMarks.material.clippingPlanes = clip;
      group.add(drawnMarks);
    }
    return { group: group, teeth: teeth, rim: rim, colour: base };
  }

  function carrier(item, colour, clip) {
    var parts = [], front = item.x - 0.5 * item.width - 1.4 * item.plate, rear = item.x + 0.5 * item.width + 0.4 * item.plate;
    var hub = Math.max(0.3 * item.radius, 0.6 * item.pin);
    parts.push(cylinder(front, front + item.plate, hub));
    parts.push(annulus(rear, rear + item.plate, item.radius - 1.25 * item.pin, item.radius + 1.25 * item.pin));
    item.angles.forEach(function (a) {
      var y = item.radius * Math.cos(a), z = item.radius * Math.sin(a);
      var arm = new T.BoxGeometry(item.plate, item.radius, 1.9 * item.pin);
      arm.translate(front + 0.5 * item.plate, 0.5 * item.radius, 0);
      arm.rotateX(a);
      parts.push(arm, cylinder(front, front + item.plate, 1.25 * item.pin, y, z));
      parts.push(cylinder(front, rear + item.plate, item.pin, y, z, 28));
    });
    return new T.Mesh(merged(parts), material(colour, clip));
  }

  function rod(item) {
    if (!item.segments) return cylinder(item.x[0], item.x[1], item.radius);
    var at = item.x[0], parts = [];
    item.segments.forEach(function (s) {
      var to = at + s[0] * (item.x[1] - item.x[0]);
      parts.push(cylinder(at, to, s[1]));
      at = to;
    });
    return merged(parts);
  }

  function rollers(item, clip) {
    var group = new T.Group(), radius = 0.5 * (item.outer - item.inner), middle = 0.5 * (item.outer + item.inner);
    var n = Math.max(8, Math.min(26, Math.floor(0.82 * Math.PI * middle / radius)));
    var body = new T.InstancedMesh(cylinder(item.x - 0.5 * item.width, item.x + 0.5 * item.width, 0.9 * radius, 0, 0, 14), material("#ffffff", clip), n);
    var place = new T.Matrix4();
    for (var i = 0; i < n; i++) {
      place.makeTranslation(0, middle * Math.cos(2 * Math.PI * i / n), middle * Math.sin(2 * Math.PI * i / n));
      body.setMatrixAt(i, place);
    }
    body.frustumCulled = false;
    group.add(body);
    if (item.on < 0) {
      group.add(new T.Mesh(annulus(item.x - 0.55 * item.width, item.x + 0.55 * item.width, item.outer, 1.12 * item.outer), material("#9aa79a", clip)));
    }
    return { group: group, rollers: body };
  }

  function rotor(item, colour, clip) {
    var hub = new T.SphereGeometry(0.11 * item.radius, 32, 20);
    hub.scale(1.1, 1, 1);
    hub.translate(item.x, 0, 0);
    var parts = [hub];
    for (var k = 0; k < 3; k++) {
      var blade = new T.CylinderGeometry(0.018 * item.radius, 0.055 * item.radius, item.radius, 14);
      blade.scale(0.45, 1, 1);
      blade.translate(item.x, 0.5 * item.radius, 0);
      blade.rotateX(2 * Math.PI * k / 3 + Math.PI / 2);
      parts.push(blade);
    }
    return new T.Mesh(merged(parts), material(colour, clip));
  }

  // what turns inside a machine, and its frame that stands
  function machine(item, colour, clip) {
    var r = item.radius, x0 = item.x - 0.5 * item.width, x1 = item.x + 0.5 * item.width, fins = [];
    for (var k = 0; k < 6; k++) {
      var fin = new T.BoxGeometry(1.04 * item.width, 0.12 * r, 0.1 * r);
      fin.translate(item.x, 0.56 * r, 0);
      fin.rotateX(k * Math.PI / 3);
      fins.push(fin);
    }
    var turning = new T.Mesh(merged([cylinder(x0 - 0.05 * item.width, x1 + 0.05 * item.width, 0.56 * r)].concat(fins)), material(colour, clip));
    var box = new T.BoxGeometry(item.width, 0.5 * r, 1.9 * r);
    box.translate(item.x, 0, -0.75 * r);
    box.scale(1, 1, 0.35);
    box.translate(0, 0, -0.62 * r);
    var frame = new T.Mesh(merged([annulus(x0, x1, 0.78 * r, r), box]), material(colour, clip, { transparent: true, opacity: 0.35 }));
    return { turning: turning, frame: frame };
  }

  function body(item, colour, clip, edge) {
    var group = new T.Group();
    group.add(new T.Mesh(annulus(item.x - 0.5 * item.width, item.x + 0.5 * item.width, 0.15 * item.radius, item.radius), material(colour, clip)));
    var x = item.x - 0.51 * item.width;
    group.add(lines([x, 0.2 * item.radius, 0, x, item.radius, 0], edge));
    return group;
  }

  function housing(boxes, colour) {
    var points = [];
    boxes.forEach(function (b) {
      var xs = [b.x0, b.x1], cy = 0.5 * (b.y0 + b.y1), cz = 0.5 * (b.z0 + b.z1), loop = [], k;
      if (b.round) {
        for (k = 0; k < 72; k++) {
          loop.push([cy + 0.5 * (b.y1 - b.y0) * Math.cos(k * Math.PI / 36), cz + 0.5 * (b.z1 - b.z0) * Math.sin(k * Math.PI / 36)]);
        }
      } else {
        var r = 0.25 * Math.min(b.y1 - b.y0, b.z1 - b.z0);
        [[b.y1 - r, b.z1 - r, 0], [b.y0 + r, b.z1 - r, 1], [b.y0 + r, b.z0 + r, 2], [b.y1 - r, b.z0 + r, 3]].forEach(function (c) {
          for (k = 0; k <= 8; k++) {
            var a = (c[2] + k / 8) * Math.PI / 2;
            loop.push([c[0] + r * Math.cos(a), c[1] + r * Math.sin(a)]);
          }
        });
      }
      loop.forEach(function (p, i) {
        var q = loop[(i + 1) % loop.length];
        xs.forEach(function (x) { points.push(x, p[0], p[1], x, q[0], q[1]); });
        if (i % 9 === 0) points.push(xs[0], p[0], p[1], xs[1], p[0], p[1]);
      });
    });
    return lines(points, colour, 0.55);
  }

  // a faint dark patch below everything: where the machine stands
  function ground(box) {
    var n = 48, points = [0, 0, 0], colours = [0.1, 0.13, 0.17, 0.2], index = [];
    for (var i = 0; i <= n; i++) {
      points.push(Math.cos(2 * Math.PI * i / n), Math.sin(2 * Math.PI * i / n), 0);
      colours.push(0.1, 0.13, 0.17, 0);
      if (i < n) index.push(0, i + 1, i + 2);
    }
    var g = new T.BufferGeometry();
    g.setAttribute("position", new T.BufferAttribute(new Float32Array(points), 3));
    g.setAttribute("color", new T.BufferAttribute(new Float32Array(colours), 4));
    g.setIndex(index);
    var patch = new T.Mesh(g, new T.MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }));
    var middle = box.getCenter(new T.Vector3()), size = box.getSize(new T.Vector3());
    patch.position.set(middle.x, middle.y, box.min.z - 0.02 * size.z);
    patch.scale.set(0.62 * size.x, 0.8 * Math.max(size.y, 0.3 * size.x), 1);
    return patch;
  }

  return { wheel: wheel, carrier: carrier, rod: rod, rollers: rollers, rotor: rotor, machine: machine, body: body,
    housing: housing, ground: ground, lines: lines, annulus: annulus, material: material };
})();
