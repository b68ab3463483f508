import type { ImagePart } from "@skein/contracts";
import { findImageProblem } from "@skein/engine";

const mediaTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const satisfies readonly ImagePart["mediaType"][];
/** Limits of the models: larger images would be rejected after the upload. */
const maxBytes = 5 * 1024 * 1024;
export const maxImages = 20;
export const acceptedImages = mediaTypes.join(",");

/** A file as it is sent, or the reason why it cannot be sent. */
export type ReadImage =
  | { kind: "image"; image: ImagePart }
  | { kind: "refused" }
  /** Its size in pixels: what is decoded is thousands of times larger than some files. */
  | { kind: "too-large"; width: number; height: number };

/** Rejects images that no model accepts, before anything decodes them. */
export async function readImage(file: Blob): Promise<ReadImage> {
  const mediaType = mediaTypes.find((type) => type === file.type);
  if (!mediaType || file.size === 0 || file.size > maxBytes) return { kind: "refused" };
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  // In steps: a spread of megabytes overflows the stack.
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  const data = btoa(binary);
  const problem = findImageProblem(data);
  if (problem?.kind === "too-large") return { kind: "too-large", width: problem.header.width, height: problem.header.height };
  return problem ? { kind: "refused" } : { kind: "image", image: { type: "image", mediaType, data } };
}
