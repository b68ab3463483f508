import type { ImagePart, JsonValue } from "@skein/contracts";

/** What the user says, as the app server takes it. */
export function toCodexInput(text: string, images: readonly ImagePart[]): JsonValue[] {
  return [
    { type: "text", text, text_elements: [] },
    ...images.map(({ mediaType, data }) => ({ type: "image", url: `data:${mediaType};base64,${data}` })),
  ];
}
