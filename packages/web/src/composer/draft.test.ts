import type { ImagePart } from "@skein/contracts";
import { expect, test } from "vitest";
import { emptyDraft, giveBackDraft, isEmptyDraft } from "./draft.ts";
import { maxImages } from "./read-image.ts";

const image: ImagePart = { type: "image", mediaType: "image/png", data: "" };

test("white space alone is not a message; an image is", () => {
  expect([emptyDraft, { text: " \n", images: [] }, { text: "", images: [image] }].map(isEmptyDraft)).toEqual([true, true, false]);
});

test("a message that could not be sent comes back before what was written since", () => {
  const unsent = { text: "first", images: [image] };
  expect(giveBackDraft(emptyDraft, unsent)).toEqual(unsent);
  expect(giveBackDraft({ text: "second", images: [image] }, unsent)).toEqual({ text: "first\n\nsecond", images: [image, image] });
});

test("no more images come back than a message may have", () => {
  const many = { text: "", images: Array.from({ length: maxImages }, () => image) };
  expect(giveBackDraft({ text: "", images: [image] }, many).images).toHaveLength(maxImages);
});
