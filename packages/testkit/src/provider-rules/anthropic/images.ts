import { readImageHeader } from "@skein/engine";
import type { Violation } from "../violation.ts";
import { type AnthropicImage, type AnthropicRequest, blocksOf } from "./request.ts";

const MAX_IMAGES = 100;
const MANY_IMAGES = 20;
const MAX_PIXELS = 8000;
const MAX_PIXELS_OF_MANY = 2000;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const MAX_REQUEST_BYTES = 32 * 1024 * 1024;

/** A11 for the request as a whole: it is rejected before its content is read. */
export function checkRequestBytes(body: unknown): Violation[] {
  if (Buffer.byteLength(JSON.stringify(body) ?? "") <= MAX_REQUEST_BYTES) return [];
  return [{ rule: "A11", path: "", message: "Request exceeds the maximum size", code: "request_too_large" }];
}

/** A11 for each image, also those inside tool results. */
export function checkImages(request: AnthropicRequest): Violation[] {
  const images = listImages(request);
  const violations = images.flatMap(({ image, path }) => checkImage(image, { path, many: images.length > MANY_IMAGES }));
  if (images.length > MAX_IMAGES) {
    violations.push({
      rule: "A11",
      path: "messages",
      message: `Too much media: 0 document pages + ${images.length} images > ${MAX_IMAGES}`,
    });
  }
  return violations;
}

function listImages(request: AnthropicRequest): { image: AnthropicImage; path: string }[] {
  return request.messages.flatMap((message, index) =>
    blocksOf(message).flatMap((block, at) => {
      const path = `messages.${index}.content.${at}`;
      if (block.type === "image") return [{ image: block, path: `${path}.image` }];
      if (block.type !== "tool_result" || !Array.isArray(block.content)) return [];
      return block.content.flatMap((part, within) =>
        part.type === "image" ? [{ image: part, path: `${path}.tool_result.content.${within}.image` }] : [],
      );
    }),
  );
}

function checkImage(image: AnthropicImage, { path, many }: { path: string; many: boolean }): Violation[] {
  if (image.source.type !== "base64") return [];
  const at = `${path}.source.base64`;
  // The provider measures the base64 text, not the bytes it stands for.
  const size = image.source.data.length;
  if (size > MAX_IMAGE_BYTES) {
    return [{ rule: "A11", path: at, message: `${at}: image exceeds 5 MB maximum: ${size} bytes > ${MAX_IMAGE_BYTES} bytes` }];
  }
  const header = readImageHeader(image.source.data);
  if (header === undefined) return [{ rule: "A11", path: at, message: "Could not process image" }];
  if (header.mediaType !== image.source.media_type) {
    const message = `${at}: The image was specified using the ${image.source.media_type} media type, but the image appears to be a ${header.mediaType} image`;
    return [{ rule: "A11", path: at, message }];
  }
  const limit = many ? MAX_PIXELS_OF_MANY : MAX_PIXELS;
  if (header.width <= limit && header.height <= limit) return [];
  const kind = many ? " for many-image requests" : "";
  const message = `${at}.data: At least one of the image dimensions exceed max allowed size${kind}: ${limit} pixels`;
  return [{ rule: "A11", path: at, message }];
}
