import { sep } from "node:path";

/*
 * A file name is any bytes but NUL and `/`. Paths from git are read as latin1, where a character is a byte, so that each of
 * them leads back to its file; what is shown is decoded.
 */

/** For functions of `node:fs`. */
export function toFsPath(directory: string, bytePath: string): Buffer {
  return Buffer.concat([Buffer.from(directory + sep), Buffer.from(bytePath, "latin1")]);
}

/** The text of bytes; `isExact` is false where they are no UTF-8 and are shown with replacement characters. */
export function decodeBytes(bytes: string): { text: string; isExact: boolean } {
  const buffer = Buffer.from(bytes, "latin1");
  const text = buffer.toString("utf8");
  return { text, isExact: !text.includes("\ufffd") || Buffer.from(text, "utf8").equals(buffer) };
}
