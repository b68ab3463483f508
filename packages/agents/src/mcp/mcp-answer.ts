import type { ImagePart, JsonValue } from "@skein/contracts";
import { z } from "zod";
import { toImagePart } from "./to-image-part.ts";

/** A tool's result, unvalidated: a newer server may send unknown content. */
export const mcpAnswerSchema = z.looseObject({
  content: z.unknown().optional(),
  structuredContent: z.unknown().optional(),
  isError: z.unknown().optional(),
});
export type McpAnswer = z.infer<typeof mcpAnswerSchema>;

const blockSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: z.string() }),
  z.object({
    type: z.literal("resource_link"),
    uri: z.string(),
    name: z.string().optional(),
    description: z.string().optional(),
    mimeType: z.string().optional(),
  }),
  z.object({
    type: z.literal("resource"),
    resource: z.object({
      uri: z.string(),
      mimeType: z.string().optional(),
      text: z.string().optional(),
      blob: z.string().optional(),
    }),
  }),
]);

const mostImages = 10;

/** Text for the model, and images. Other content is described in the text. */
export function readMcpAnswer({ content, structuredContent }: McpAnswer): {
  text: string;
  images: ImagePart[];
  structured: JsonValue | undefined;
} {
  const images: ImagePart[] = [];
  const texts = (Array.isArray(content) ? content : []).map((block: unknown) => {
    const parsed = blockSchema.safeParse(block);
    if (!parsed.success) return `[content of a kind that Skein does not know: ${JSON.stringify(block)}]`;
    return readBlock(parsed.data, (image) => images.length < mostImages && images.push(image) > 0);
  });
  const structured = structuredContent === undefined || structuredContent === null ? undefined : (structuredContent as JsonValue);
  const text = texts.filter((part) => part !== "").join("\n");
  return { text: text === "" && structured !== undefined ? JSON.stringify(structured, null, 2) : text, images, structured };
}

/** `show` is false if there are enough images. */
function readBlock(block: z.infer<typeof blockSchema>, show: (image: ImagePart) => boolean): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
      return showImage(block.data, show) ? "" : `[an image (${block.mimeType}, ${sizeOf(block.data)}) that cannot be shown]`;
    case "audio":
      return `[audio (${block.mimeType}, ${sizeOf(block.data)}) that cannot be played]`;
    case "resource_link":
      return `[resource ${[block.name, block.uri, block.mimeType, block.description].filter(Boolean).join(" · ")}]`;
    case "resource": {
      const { uri, mimeType, text, blob } = block.resource;
      if (text !== undefined) return `[resource ${uri}]\n${text}`;
      if (blob !== undefined && showImage(blob, show)) return `[resource ${uri}, an image]`;
      return `[resource ${uri} (${mimeType ?? "binary"}, ${sizeOf(blob ?? "")}) that cannot be shown]`;
    }
  }
}

function showImage(data: string, show: (image: ImagePart) => boolean): boolean {
  const image = toImagePart(data);
  return image !== undefined && show(image);
}

function sizeOf(base64: string): string {
  return `${Math.floor((base64.length * 3) / 4)} bytes`;
}
