const seeds = [0x9e3779b9, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f];

/**
 * A hash of the text as 32 hexadecimal digits: the same everywhere, without Node or Web Crypto. It is not cryptographic; callers check
 * for collisions. It hashes UTF-16 units: in UTF-8 all lone surrogates look the same, and two ids would collide.
 */
export function digest(text: string): string {
  return seeds.map((seed) => hash(text, seed).toString(16).padStart(8, "0")).join("");
}

/** MurmurHash3 (32 bits), one unit at a time. */
function hash(text: string, seed: number): number {
  let state = seed;
  for (let i = 0; i < text.length; i++) {
    const unit = Math.imul(text.charCodeAt(i), 0xcc9e2d51);
    state ^= Math.imul((unit << 15) | (unit >>> 17), 0x1b873593);
    state = Math.imul((state << 13) | (state >>> 19), 5) + 0xe6546b64;
  }
  state ^= text.length;
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
