// What the viewer uses of three.js 0.160.1. Bundled with
//   esbuild three-entry.js --bundle --minify --format=iife --global-name=THREE --target=es2017 --outfile=three.js
export {
  WebGLRenderer, Scene, Group, Mesh, InstancedMesh, LineSegments, BufferGeometry, BufferAttribute,
  CylinderGeometry, ConeGeometry, BoxGeometry, SphereGeometry, MeshStandardMaterial, MeshLambertMaterial,
  MeshBasicMaterial, LineBasicMaterial, OrthographicCamera, DirectionalLight, HemisphereLight, Color, Vector3,
  Quaternion, Matrix4, Plane, PlaneGeometry, ShadowMaterial, EdgesGeometry, DoubleSide, PCFSoftShadowMap,
  DynamicDrawUsage, Box3, Raycaster, Vector2,
} from "three";
export { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
