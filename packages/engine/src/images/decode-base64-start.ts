const values = new Map(
  [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].map((letter, value) => [letter.charCodeAt(0), value]),
);
values.set("-".charCodeAt(0), 62).set("_".charCodeAt(0), 63);

/**
 * The first bytes of a base64 text. By hand: `atob` is a browser function, and would decode megabytes of which a few bytes are needed.
 */
export function decodeBase64Start(base64: string, length: number): DataView {
  const bytes = new Uint8Array(Math.min(length, Math.floor((base64.length * 3) / 4)));
  let at = 0;
  for (let i = 0, bits = 0, bitCount = 0; i < base64.length && at < bytes.length; i++) {
    const value = values.get(base64.charCodeAt(i));
    if (value === undefined) break;
    bits = ((bits << 6) | value) & 0xffff;
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      bytes[at++] = (bits >> bitCount) & 0xff;
    }
  }
  return new DataView(bytes.buffer, 0, at);
}
