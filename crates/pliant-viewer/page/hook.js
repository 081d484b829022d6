import { decoded } from './part-textures.js';

/**
 * `window.pliant`: for scripts, tests and reproducible pictures.
 *
 * - `ready`: a promise that resolves when the first frame is drawn
 * - `freeze(frame)`: runs to a frame and pauses; resolves when it is drawn. The page then draws the same picture every time
 * - `state(nodes)`: a snapshot as plain data; `nodes: true` adds the drawn positions `x` of all nodes, in world coordinates
 * - `pixel(body, node)`, `pixelOf(position)`: the position on the page
 * - `pick(x, y)`: the point of a body under a pixel
 * - `picture()`: the view as a PNG data URL
 * - `look({yaw, pitch, zoom})`: rotates the camera at once; `zoom` is a factor of the distance that shows everything
 * - `ask(command)`: sends a command of the protocol; resolves with its reply
 * - `app`: the parts of the page, for the console
 * - `lastError`: the last error shown to the user; `lastSaved`: `{name, bytes}`
 */
export function hook(app) {
  const { session, view, link } = app;
  const nodeAt = (body, node) => {
    const at = 3 * (view.current.bodies[body].first + node);
    return view.toWorld([...view.nodes.positions.subarray(at, at + 3)]);
  };
  const pixelOf = (position) => {
    const { x, y } = view.control.project(view.toPage(position));
    const { left, top } = app.canvas.getBoundingClientRect();
    return { x: x + left, y: y + top };
  };
  return Object.assign(window.pliant, {
    app,
    pixelOf,
    pixel: (body, node) => pixelOf(nodeAt(body, node)),
    pick: (x, y) => app.picker.at(x, y),
    ask: (command) => link.ask(command),
    state: (nodes = false) => snapshot(app, nodes ? nodeAt : null),
    freeze: (frame) => freeze(app, frame),
    look: (where) => look(app, where),
    picture: async () => dataAddress(await app.picture()),
  });
}

function snapshot({ session, view, performance, display, pull, tools, legend, status, replay }, nodeAt) {
  const { scene, run, hello } = session;
  const head = session.frame?.head;
  return {
    connection: status.connection, page: hello?.page ?? null, scene: scene?.name ?? null, title: scene?.title ?? null,
    generation: scene?.generation ?? null, frame: head?.frame ?? null, serial: head?.serial ?? null, time: head?.time ?? null,
    replaying: replay.active, playing: run.playing, speed: run.speed, recording: run.recording, pages: run.pages, busy: run.busy,
    pace: head?.pace ?? null, behind: head?.behind ?? null,
    fps: { page: performance.pageFps, engine: head?.fps ?? null }, latency: performance.latency, latencies: [...pull.latencies],
    field: display.field, legend: legend.range, display: { ...display.state }, tool: tools.current, selected: session.selected,
    undo: scene?.undo ?? null, redo: scene?.redo ?? null, asleep: head?.asleep ?? [], grabs: head?.grabs ?? [],
    pins: session.held?.head.pins.map(({ body, pin, count, mine }) => ({ body, pin, count, mine })) ?? [],
    camera: { position: view.origin ? view.toWorld(view.camera.position.toArray()) : null },
    bodies: (scene?.bodies ?? []).map((body, i) => ({
      name: body.name, pieceOf: body.piece_of ?? null, broken: body.broken, pieces: body.pieces, gone: body.gone, nodes: body.nodes, young: body.young, poisson: body.poisson, density: body.density, degree: body.degree, plastic: body.plastic, size: body.size, regions: body.regions,
      x: nodeAt && view.current?.bodies[i] ? Array.from({ length: view.current.bodies[i].nodes }, (_, node) => nodeAt(i, node)) : undefined,
    })),
  };
}

/** Freezes at a frame: the picture depends only on this frame. `arrange` sets the camera. */
export async function freeze(app, frame, arrange = null) {
  delete document.documentElement.dataset.frozen;
  app.still(true);
  const { serial } = await app.link.ask({ freeze: { frame } });
  await drawn(app, serial);
  await decoded();
  app.legend.restart();
  app.legend.take(app.session.frame.head.field, 0);
  app.view.relight();
  if (arrange) arrange();
  else if (!app.view.control.touched) app.view.fit(true);
  app.view.control.settle();
  app.draw();
  document.documentElement.dataset.frozen = String(frame);
  return frame;
}

/** Resolves when the frame `serial` or a later one has been drawn. */
export function drawn({ session }, serial = 0) {
  if (session.frame?.head.serial >= serial) return Promise.resolve();
  return new Promise((resolve) => {
    const end = session.on('frame', ({ head }) => {
      if (head.serial < serial) return;
      end();
      resolve();
    });
  });
}

/** Fills the picture with all bodies; `zoom` is a factor of the distance at which they just fit. */
export function frame({ view, picker }, { yaw, pitch, zoom }) {
  const { control } = view;
  Object.assign(control.goal, { yaw: yaw ?? control.goal.yaw, pitch: pitch ?? control.goal.pitch });
  control.frame(picker.surfaces(), zoom);
  control.settle();
  view.dirty = true;
}

/** Rotates the camera at once; see `hook`. */
export function look({ view }, { yaw, pitch, zoom }) {
  view.control.fit(view.home);
  if (yaw !== undefined) view.control.goal.yaw = yaw;
  if (pitch !== undefined) view.control.goal.pitch = pitch;
  view.control.goal.distance *= zoom ?? 1;
  view.control.settle();
  view.dirty = true;
}

function dataAddress(blob) {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsDataURL(blob);
  });
}
