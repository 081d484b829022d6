import { drawn, frame, freeze, look } from './hook.js';

/**
 * Options in the address of the page, for pictures made by scripts:
 * `?scene=nesme/ears&frame=120&field=stress&cells=outside&hide=pins,shadow&theme=light&bare=1&look=0.6,0.3,1`.
 */
export const options = new URLSearchParams(location.search);

/** The theme given in the address, or null. */
export function themeOption() {
  const theme = options.get('theme');
  return theme === 'dark' || theme === 'light' ? theme : null;
}

/** Applies the options once the page is ready; `data-frozen` on the root element shows when the frame is drawn. */
export async function applyOptions(app) {
  if (options.has('bare')) document.documentElement.dataset.bare = '';
  if (options.has('bare')) app.layout();
  if (options.has('scene') && options.get('scene') !== app.session.scene.name) await open(app, options.get('scene'));
  if (options.has('field')) app.display.setField(options.get('field'));
  if (options.has('cells')) app.display.set({ cells: options.get('cells') });
  if (options.has('hide')) app.display.set(Object.fromEntries(options.get('hide').split(',').map((name) => [name, false])));
  if (options.has('frame')) await freeze(app, Number(options.get('frame')), () => arrange(app));
  else arrange(app);
}

/** Sets the camera as given in the address; a picture without controls shows all bodies as large as possible. */
function arrange(app) {
  const where = angles(options.get('look') ?? '');
  if (options.has('bare')) frame(app, where);
  else if (options.has('look')) look(app, where);
  else app.view.fit(true);
}

async function open(app, scene) {
  const { serial } = await app.link.ask({ open: { scene } });
  await drawn(app, serial);
}

function angles(text) {
  const [yaw, pitch, zoom] = text.split(',').map((word) => (word.trim() === '' ? undefined : Number(word)));
  return { yaw, pitch, zoom };
}
