import * as THREE from './vendor/three.module.min.js';

/** The textures of a model, decoded by the browser. */
export function partTextures(model) {
  return (model.head.textures ?? []).map((entry) => {
    const bytes = new Uint8Array(model.message.buffer, model.message.base + entry.offset, entry.bytes);
    return decode(new Blob([bytes], { type: entry.mime }));
  });
}

/** Textures that are being decoded. */
const decoding = new Set();

/** Resolves when the textures of all models are decoded. */
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
  }, () => console.warn('a texture of the model cannot be read')).finally(() => decoding.delete(picture));
  decoding.add(picture);
  return texture;
}
