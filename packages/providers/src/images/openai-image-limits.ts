import type { ImageLimits } from "./fit-images.ts";

const megabyte = 1024 * 1024;

/** 500 images and 50 MB per request. */
export const openaiImageLimits: ImageLimits = {
  mediaTypes: ["image/png", "image/jpeg", "image/gif", "image/webp"],
  maximumCount: 500,
  maximumLength: 20 * megabyte,
  maximumTotal: 48 * megabyte,
  maximumPixels: 16_000,
};
