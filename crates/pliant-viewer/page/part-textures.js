import * as THREE from './vendor/three.module.min.js';

/** The pictures that came with a model, decoded by the browser. */
export function partTextures(model) {
  return (model.head.textures ?? []).map((entry) => {
    const bytes = new Uint8Array(model.message.buffer, model.message.base + entry.offset, entry.bytes);
    return decode(new Blob([bytes], { type: entry.mime }));
  });
}

/** Pictures on their way. */
const decoding = new Set();

/** When all pictures of all models can be seen. */
export function decoded() {
  return Promise.all(decoding);
}

function decode(blob) {
  const texture = new THREE.Texture();
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.flipY = false;
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  const picture = createImageBitmap(blob).then((image) => {
    texture.image = image;
    texture.needsUpdate = true;
  }, () => console.warn('a picture of the model cannot be read')).finally(() => decoding.delete(picture));
  decoding.add(picture);
  return texture;
}
