import * as THREE from './vendor/three.module.min.js';
import { placeOn } from './protocol.js';

/** Takes hold of a place and turns what is around it about the view: the farther the pointer goes to the side, the harder. */
export class TwistTool {
  name = 'twist';
  holds = true;
  /** In m/s² for each pixel. */
  strength = 2;
  /** Apart from those of the hand that pulls. */
  #next = 1_000_001;

  constructor({ link, view, session }) {
    Object.assign(this, { link, view, session });
  }

  begin(hit, x) {
    const grab = this.#next++;
    this.session.select(hit.body);
    const axis = this.view.camera.getWorldDirection(new THREE.Vector3()).toArray();
    const held = this.link.ask({ grab: { grab, point: placeOn(hit), strength: 1 } }).then(() => true, () => false);
    const send = async (command) => { if (await held) this.link.send(command); };
    return {
      cursor: 'ew-resize',
      move: (toX) => send({ twist: { grab, axis, strength: this.strength * (toX - x) } }),
      end: () => send({ release: { grab } }),
    };
  }
}
