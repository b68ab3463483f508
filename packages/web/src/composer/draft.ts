import type { ImagePart } from "@skein/contracts";
import { maxImages } from "./read-image.ts";

/** A message that is being written. */
export interface Draft {
  text: string;
  images: readonly ImagePart[];
}

export const emptyDraft: Draft = { text: "", images: [] };

export function isEmptyDraft({ text, images }: Draft): boolean {
  return text.trim() === "" && images.length === 0;
}

/** Puts a message that could not be sent before what was written since. */
export function giveBackDraft(written: Draft, unsent: Draft): Draft {
  return {
    text: [unsent.text, written.text].filter(Boolean).join("\n\n"),
    images: [...unsent.images, ...written.images].slice(0, maxImages),
  };
}
