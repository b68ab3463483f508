import { type ImageHeader, readImageHeader } from "./read-image-header.ts";

/** A decoded picture takes four bytes for each pixel, however few its file has: 31 kB can take a gigabyte. */
export const imageLimits = {
  /** More are not shown: 100 MB when decoded. A camera's picture has fewer. */
  shownPixels: 25_000_000,
  /** Larger ones are not given to agents: providers refuse them. */
  agentEdge: 8000,
};

/** What is wrong with an image that an agent would be given; undefined when nothing is. */
export function findImageProblem(base64: string): { kind: "unreadable" } | { kind: "too-large"; header: ImageHeader } | undefined {
  const header = readImageHeader(base64);
  if (header === undefined) return { kind: "unreadable" };
  const isTooLarge = Math.max(header.width, header.height) > imageLimits.agentEdge || !canBeShown(header);
  return isTooLarge ? { kind: "too-large", header } : undefined;
}

/** False for an image that would take too much memory when decoded. */
export function canBeShown({ width, height }: Pick<ImageHeader, "width" | "height">): boolean {
  return width * height <= imageLimits.shownPixels;
}
