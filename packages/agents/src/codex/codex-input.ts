import type { ImagePart, JsonValue } from "@skein/contracts";

/** The user's message in the format of the app server. */
export function toCodexInput(text: string, images: readonly ImagePart[]): JsonValue[] {
  return [
    { type: "text", text, text_elements: [] },
    ...images.map(({ mediaType, data }) => ({ type: "image", url: `data:${mediaType};base64,${data}` })),
  ];
}
