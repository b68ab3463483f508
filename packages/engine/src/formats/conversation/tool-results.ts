import type { ImagePart, TextPart, ToolResultPart } from "@skein/contracts";
import { fillers } from "./conversation.ts";

/** The parts of a result that can be sent: non-blank texts and images. A result without either gets a placeholder. */
export function toResultParts({ result }: ToolResultPart): (TextPart | ImagePart)[] {
  const parts: (TextPart | ImagePart)[] = typeof result === "string" ? [{ type: "text", text: result }] : result;
  const kept = parts
    .map((part): TextPart | ImagePart => (part.type === "text" ? { type: "text", text: part.text.toWellFormed() } : part))
    .filter((part) => part.type === "image" || part.text.trim() !== "");
  return kept.length === 0 ? [{ type: "text", text: fillers.noOutput }] : kept;
}

export interface SplitResult {
  text: string;
  images: ImagePart[];
}

/** For APIs whose results are text only: images are sent separately. */
export function splitResult(part: ToolResultPart): SplitResult {
  const parts = toResultParts(part);
  const images = parts.filter((one) => one.type === "image");
  const texts = parts.flatMap((one) => (one.type === "text" ? [one.text] : []));
  if (texts.length === 0) texts.push(images.length === 1 ? "[1 image, see below]" : `[${images.length} images, see below]`);
  return { text: texts.join("\n"), images };
}

/** For APIs without an error flag: marks the text as an error. */
export function toFlaggedText(text: string, isError: boolean | undefined): string {
  return isError === true && !/^\s*\W*error/i.test(text) ? `Error: ${text}` : text;
}
