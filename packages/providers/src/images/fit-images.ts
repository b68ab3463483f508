import type { ImagePart, MessageBody, TextPart } from "@skein/contracts";
import { readImageHeader } from "@skein/engine";

export interface ImageLimits {
  mediaTypes: readonly ImagePart["mediaType"][];
  maximumCount: number;
  /** Length of one image's base64 text. */
  maximumLength: number;
  /** Length of all images' base64 texts together. */
  maximumTotal: number;
  maximumPixels: number;
  /** With more than `count` images, a smaller size limit applies to each. */
  whenMany?: { count: number; maximumPixels: number };
}

// Dropping one old image per new one would change the start of every request and miss the prompt cache each time.
const batch = 20;

/**
 * Replaces each image that the provider would reject by a line of text, and the oldest ones if there are too many. The media type is
 * detected from the image's bytes, because providers compare.
 */
export function fitImages(messages: readonly MessageBody[], limits: ImageLimits): MessageBody[] {
  if (!messages.some(hasImage)) return [...messages];
  const checked = mapImages(messages, (image) => checkImage(image, limits));
  const images = checked.flatMap(listImages);
  const many = limits.whenMany !== undefined && images.length > limits.whenMany.count ? limits.whenMany : undefined;
  const sized =
    many === undefined ? checked : mapImages(checked, (image) => checkImage(image, { ...limits, maximumPixels: many.maximumPixels }));
  return dropOldest(sized, countToDrop(sized.flatMap(listImages), limits));
}

function checkImage(image: ImagePart, limits: ImageLimits): ImagePart | string {
  const data = image.data.replace(/^data:[^,]*,/, "").replace(/\s+/g, "");
  const header = /^[a-zA-Z0-9+/_-]*={0,2}$/.test(data) ? readImageHeader(data) : undefined;
  if (header === undefined) return "it is not a readable PNG, JPEG, GIF or WebP";
  if (!limits.mediaTypes.includes(header.mediaType)) return `this model does not read ${header.mediaType}`;
  if (data.length > limits.maximumLength) return `it is larger than ${Math.floor(limits.maximumLength / 1024 / 1024)} MB`;
  if (Math.max(header.width, header.height) > limits.maximumPixels) {
    return `${header.width}×${header.height} is more than ${limits.maximumPixels} pixels`;
  }
  return image.data === data && image.mediaType === header.mediaType ? image : { type: "image", mediaType: header.mediaType, data };
}

function countToDrop(images: readonly ImagePart[], limits: ImageLimits): number {
  const excess = images.length - limits.maximumCount;
  let count = excess <= 0 ? 0 : Math.ceil(excess / batch) * batch;
  let total = images.slice(count).reduce((sum, image) => sum + image.data.length, 0);
  while (total > limits.maximumTotal) {
    total -= images[count]?.data.length ?? total;
    count++;
  }
  return count;
}

/** Without the oldest `count` images. */
export function dropOldest(messages: readonly MessageBody[], count: number): MessageBody[] {
  let seen = 0;
  return mapImages(messages, (image) => (seen++ < count ? "the request holds too many newer ones" : image));
}

export function listImages(message: MessageBody): ImagePart[] {
  if (typeof message.content === "string") return [];
  return message.content.flatMap((part): ImagePart[] => {
    if (part.type === "image") return [part];
    return part.type === "tool-result" && typeof part.result !== "string" ? part.result.filter((one) => one.type === "image") : [];
  });
}

function hasImage(message: MessageBody): boolean {
  return listImages(message).length > 0;
}

type Visit = (image: ImagePart) => ImagePart | string;

function mapImages(messages: readonly MessageBody[], visit: Visit): MessageBody[] {
  return messages.map((message): MessageBody => {
    if (!hasImage(message)) return message;
    if (message.role === "user" && typeof message.content !== "string") {
      return { ...message, content: message.content.map((part) => mapPart(part, visit)) };
    }
    if (message.role !== "tool") return message;
    return {
      ...message,
      content: message.content.map((part) =>
        typeof part.result === "string" ? part : { ...part, result: part.result.map((one) => mapPart(one, visit)) },
      ),
    };
  });
}

function mapPart(part: TextPart | ImagePart, visit: Visit): TextPart | ImagePart {
  if (part.type === "text") return part;
  const outcome = visit(part);
  return typeof outcome === "string" ? { type: "text", text: `[An image is left out: ${outcome}.]` } : outcome;
}
