/** Random numbers that depend on the seed alone (mulberry32). */
export function createRandom(seed) {
  let state = seed >>> 0;
  const number = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** Whole numbers, both ends included. */
  const between = (least, most) => least + Math.floor(number() * (most - least + 1));
  return {
    number,
    between,
    chance: (part) => number() < part,
    pick: (values) => values[Math.floor(number() * values.length)],
    shuffle(values) {
      const left = [...values];
      return values.map(() => left.splice(Math.floor(number() * left.length), 1)[0]);
    },
  };
}
