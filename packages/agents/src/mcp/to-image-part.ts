import type { ImagePart } from "@skein/contracts";

/** Providers refuse more, and with it the whole request. Measured in base64, as they do. */
const largestImage = 5 * 1024 * 1024;

/** The first bytes, one character each. */
const isOfType: Readonly<Record<ImagePart["mediaType"], (start: string) => boolean>> = {
  "image/png": (start) => start.startsWith("\x89PNG\r\n\x1a\n"),
  "image/jpeg": (start) => start.startsWith("\xff\xd8\xff"),
  "image/gif": (start) => start.startsWith("GIF87a") || start.startsWith("GIF89a"),
  "image/webp": (start) => start.startsWith("RIFF") && start.slice(8, 12) === "WEBP",
};
const mediaTypes = Object.keys(isOfType) as ImagePart["mediaType"][];

/**
 * Undefined for what providers would not take. The type is read from the bytes: an image that is not what it claims to be
 * makes every later request of the conversation fail.
 */
export function toImagePart(base64: string): ImagePart | undefined {
  if (base64.length > largestImage || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  const start = Buffer.from(base64.slice(0, 64), "base64").toString("latin1");
  const mediaType = mediaTypes.find((type) => isOfType[type](start));
  return mediaType === undefined ? undefined : { type: "image", mediaType, data: base64 };
}
