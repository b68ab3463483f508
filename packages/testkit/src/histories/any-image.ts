import type { ImagePart } from "@skein/contracts";
import fc from "fast-check";
import { buildImage } from "./build-image.ts";

const mediaType = fc.constantFrom<ImagePart["mediaType"]>("image/png", "image/jpeg", "image/gif", "image/webp");

/** Images of every kind and size, and data that only claims to be an image. */
export const anyImage: fc.Arbitrary<ImagePart> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({ mediaType, width: fc.constantFrom(1, 64, 1999, 2000, 2001, 8000, 8001), height: fc.constantFrom(1, 64, 2001, 8001) })
      .map(({ mediaType: type, ...size }) => buildImage(type, size)),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ real: mediaType, said: mediaType })
      .map(({ real, said }) => ({ ...buildImage(real, { width: 8, height: 8 }), mediaType: said })),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("image" as const),
      mediaType,
      data: fc.constantFrom("", "AAAA", "not base64!", "iVBORw0KGgo="),
    }),
  },
);
