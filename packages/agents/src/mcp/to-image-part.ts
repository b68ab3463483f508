import type { ImagePart } from "@skein/contracts";
import { findImageProblem, readImageHeader } from "@skein/engine";

/** Providers refuse more, and with it the whole request. Measured in base64, as they do. */
const largestImage = 5 * 1024 * 1024;

/**
 * Undefined for what providers would not take. The type is read from the bytes: an image that is not what it claims to be
 * makes every later request of the conversation fail.
 */
export function toImagePart(base64: string): ImagePart | undefined {
  if (base64.length > largestImage || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  const header = findImageProblem(base64) === undefined ? readImageHeader(base64) : undefined;
  return header === undefined ? undefined : { type: "image", mediaType: header.mediaType, data: base64 };
}
