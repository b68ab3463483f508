import { imageLimits, readImageHeader } from "@skein/engine";

/** Which images of one message are shown: together they may have twice as many pixels as one. */
export function allowImages<Image extends { data: string }>(images: readonly Image[]): { image: Image; isAllowed: boolean }[] {
  let left = imageLimits.shownPixels * 2;
  return images.map((image) => {
    const header = readImageHeader(image.data);
    const pixels = header ? header.width * header.height : 0;
    if (pixels > left) return { image, isAllowed: false };
    left -= pixels;
    return { image, isAllowed: true };
  });
}
