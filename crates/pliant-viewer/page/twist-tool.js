import * as THREE from './vendor/three.module.min.js';
import { placeOn } from './protocol.js';

/** Grabs a point and twists the material around it about the view axis: the farther the pointer moves sideways, the harder. */
export class TwistTool {
  name = 'twist';
  holds = true;
  /** Acceleration per pixel, in m/s². */
  strength = 2;
  /** Grab ids, separate from those of the pull tool. */
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
