import type { ImagePart } from "@skein/contracts";
import { findImageProblem, readImageHeader } from "@skein/engine";

/** Providers reject larger images, and with them the whole request. Measured in base64, as they do. */
const largestImage = 5 * 1024 * 1024;

/**
 * Undefined for images that providers would reject. The type is detected from the bytes: an image with a wrong type makes every later
 * request of the conversation fail.
 */
export function toImagePart(base64: string): ImagePart | undefined {
  if (base64.length > largestImage || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  const header = findImageProblem(base64) === undefined ? readImageHeader(base64) : undefined;
  return header === undefined ? undefined : { type: "image", mediaType: header.mediaType, data: base64 };
}
