import { posix, sep } from "node:path";

/*
 * A file name is any sequence of bytes without NUL and `/`. Paths from git are read as latin1, one character per byte, so that each
 * maps back to its file. They are decoded for display only.
 */

/** A path for functions of `node:fs`. */
export function toFsPath(directory: string, bytePath: string): Buffer {
  return Buffer.concat([Buffer.from(directory + sep), Buffer.from(bytePath, "latin1")]);
}

/** Decodes UTF-8. `isExact` is false if the bytes are not valid UTF-8 and replacement characters were inserted. */
export function decodeBytes(bytes: string): { text: string; isExact: boolean } {
  const buffer = Buffer.from(bytes, "latin1");
  const text = buffer.toString("utf8");
  return { text, isExact: !text.includes("\ufffd") || Buffer.from(text, "utf8").equals(buffer) };
}

/** The folders that a path is in, the nearest first. */
export function listAncestors(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === "." ? [] : [folder, ...listAncestors(folder)];
}
