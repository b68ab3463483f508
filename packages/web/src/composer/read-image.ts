import type { ImagePart } from "@skein/contracts";

const mediaTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const satisfies readonly ImagePart["mediaType"][];
/** What the models take; larger ones would be refused after the wait. */
const maxBytes = 5 * 1024 * 1024;
export const maxImages = 20;
export const acceptedImages = mediaTypes.join(",");

/** The image as it is sent; null for a file that no model takes. */
export async function readImage(file: Blob): Promise<ImagePart | null> {
  const mediaType = mediaTypes.find((type) => type === file.type);
  if (!mediaType || file.size === 0 || file.size > maxBytes) return null;
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  // In steps: a spread of megabytes overflows the stack.
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return { type: "image", mediaType, data: btoa(binary) };
}
