import type { ImagePart } from "@skein/contracts";
import { readImageHeader } from "../images/read-image-header.ts";

const pixelsPerToken = 750;
/** Providers scale images down to this edge. */
const longestEdge = 1568;
const most = 1600;
const least = 85;

/** By size in pixels, regardless of the number of bytes. An image whose size cannot be read counts as a large one. */
export function countImageTokens({ data }: ImagePart): number {
  const size = readImageHeader(data);
  if (size === undefined) return most;
  const scale = Math.min(1, longestEdge / Math.max(size.width, size.height));
  const tokens = Math.ceil((size.width * scale * size.height * scale) / pixelsPerToken);
  return Math.min(most, Math.max(least, tokens));
}
