import { type ImagePart, imagePartSchema, type JsonValue } from "@skein/contracts";
import { asObject, objectField, stringField } from "@skein/engine";

const errorTag = "<tool_use_error>";
const imageTypes: ReadonlySet<string> = new Set(imagePartSchema.shape.mediaType.options);

/** A tool's result as text and images. Blocks of other kinds are named, so that the user sees that there was more. */
export function toResultContent(content: JsonValue | undefined): { output: string; images: ImagePart[] } {
  if (typeof content === "string") return { output: withoutErrorTag(content), images: [] };
  if (!Array.isArray(content)) return { output: content === undefined || content === null ? "" : JSON.stringify(content), images: [] };
  const texts: string[] = [];
  const images: ImagePart[] = [];
  for (const block of content) {
    const text = stringField(block, "text");
    const image = readImage(block);
    if (text !== undefined) texts.push(text);
    else if (image !== undefined) images.push(image);
    else texts.push(toPlaceholder(block));
  }
  return { output: withoutErrorTag(texts.join("\n")), images };
}

function readImage(block: JsonValue): ImagePart | undefined {
  if (stringField(block, "type") !== "image") return undefined;
  const source = objectField(block, "source");
  const mediaType = stringField(source, "media_type");
  const data = stringField(source, "data");
  if (data === undefined || mediaType === undefined || !imageTypes.has(mediaType)) return undefined;
  return { type: "image", mediaType: mediaType as ImagePart["mediaType"], data };
}

function toPlaceholder(block: JsonValue): string {
  const type = stringField(block, "type") ?? "block";
  const name = stringField(block, "title", "tool_name", "url") ?? stringField(objectField(block, "source"), "media_type");
  return asObject(block) === undefined ? String(block) : `[${type}${name === undefined ? "" : `: ${name}`}]`;
}

/** The tag shows the model that the tool did not run; the result itself states whether it failed. */
function withoutErrorTag(text: string): string {
  if (!text.startsWith(errorTag)) return text;
  const inner = /^<tool_use_error>([\s\S]*)<\/tool_use_error>\s*$/.exec(text)?.[1];
  return inner ?? text;
}
