import { drawn, frame, freeze, look } from './hook.js';

/**
 * Options in the address of the page, for pictures made by scripts:
 * `?scene=nesme/ears&frame=120&field=stress&cells=outside&hide=pins,shadow&theme=light&bare=1&look=0.6,0.3,1`.
 */
export const wishes = new URLSearchParams(location.search);

/** The theme given in the address, or null. */
export function wishedTheme() {
  const theme = wishes.get('theme');
  return theme === 'dark' || theme === 'light' ? theme : null;
}

/** Applies the options once the page is ready; `data-frozen` on the root element shows when the frame is drawn. */
export async function grant(app) {
  if (wishes.has('bare')) document.documentElement.dataset.bare = '';
  if (wishes.has('bare')) app.layout();
  if (wishes.has('scene') && wishes.get('scene') !== app.session.scene.name) await open(app, wishes.get('scene'));
  if (wishes.has('field')) app.display.setField(wishes.get('field'));
  if (wishes.has('cells')) app.display.set({ cells: wishes.get('cells') });
  if (wishes.has('hide')) app.display.set(Object.fromEntries(wishes.get('hide').split(',').map((name) => [name, false])));
  if (wishes.has('frame')) await freeze(app, Number(wishes.get('frame')), () => arrange(app));
  else arrange(app);
}

/** Sets the camera as given in the address; a picture without controls shows all bodies as large as possible. */
function arrange(app) {
  const where = angles(wishes.get('look') ?? '');
  if (wishes.has('bare')) frame(app, where);
  else if (wishes.has('look')) look(app, where);
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
