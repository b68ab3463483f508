import type { ImagePart } from "@skein/contracts";

/** Providers take no larger ones. */
export const maximumImageBytes = 5 * 1024 * 1024;

const signatures: readonly [ImagePart["mediaType"], (bytes: Buffer) => boolean][] = [
  ["image/png", (bytes) => bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"))],
  ["image/jpeg", (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ["image/gif", (bytes) => /^GIF8[79]a/.test(bytes.toString("latin1", 0, 6))],
  ["image/webp", (bytes) => bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP"],
];

/** By what is in the file, whatever its name says: a wrong type is a refused request. */
export function findImageType(start: Buffer): ImagePart["mediaType"] | undefined {
  return signatures.find(([, fits]) => fits(start))?.[0];
}
