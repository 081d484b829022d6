import { drawn, freeze, look } from './hook.js';

/**
 * What the page's address may ask for, for pictures made without a person:
 * `?scene=nesme/ears&frame=120&field=stress&cells=outside&theme=light&bare=1&look=0.6,0.3,1`.
 */
export const wishes = new URLSearchParams(location.search);

/** The theme that the address asks for, if any. */
export function wishedTheme() {
  const theme = wishes.get('theme');
  return theme === 'dark' || theme === 'light' ? theme : null;
}

/** Grants the wishes once the page is ready; `data-frozen` on the root element tells when the frame is there. */
export async function grant(app) {
  if (wishes.has('bare')) document.documentElement.dataset.bare = '';
  if (wishes.has('bare')) app.layout();
  if (wishes.has('scene') && wishes.get('scene') !== app.session.scene.name) await open(app, wishes.get('scene'));
  if (wishes.has('field')) app.display.setField(wishes.get('field'));
  if (wishes.has('cells')) app.display.set({ cells: wishes.get('cells') });
  if (wishes.has('frame')) await freeze(app, Number(wishes.get('frame')), () => arrange(app));
  else arrange(app);
}

/** The camera: as the address says; a picture without controls shows all bodies as they are. */
function arrange(app) {
  if (wishes.has('look')) look(app, angles(wishes.get('look')));
  else app.view.fit(!wishes.has('bare'));
}

async function open(app, scene) {
  const { serial } = await app.link.ask({ open: { scene } });
  await drawn(app, serial);
}

function angles(text) {
  const [yaw, pitch, zoom] = text.split(',').map((word) => (word.trim() === '' ? undefined : Number(word)));
  return { yaw, pitch, zoom };
}
