import { type ImageHeader, readImageHeader } from "./read-image-header.ts";

/** A decoded image takes four bytes per pixel, however small its file is: 31 kB can take a gigabyte. */
export const imageLimits = {
  /** Larger ones are not displayed: 100 MB when decoded. Photos of a camera are smaller. */
  shownPixels: 25_000_000,
  /** Larger ones are not sent to agents: providers reject them. */
  agentEdge: 8000,
};

/** Why an image cannot be sent to an agent; undefined if it can. */
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
