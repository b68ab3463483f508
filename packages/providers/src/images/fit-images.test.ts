import type { ImagePart, MessageBody } from "@skein/contracts";
import { buildImage } from "@skein/testkit/histories";
import { checkAnthropicRequest } from "@skein/testkit/provider-rules";
import { describe, expect, test } from "vitest";
import { toAnthropicRequest } from "../anthropic/to-anthropic-request.ts";

const small = buildImage("image/png", { width: 10, height: 20 });

function toBody(messages: MessageBody[]) {
  return toAnthropicRequest({ messages, tools: [], model: "claude", modelId: "anthropic/claude", maxTokens: 100 }).params;
}

function show(...images: ImagePart[]): MessageBody[] {
  return images.map((image) => ({ role: "user", content: [{ type: "text", text: "look" }, image] }));
}

function sentImages(messages: MessageBody[]) {
  const body = toBody(messages);
  expect(checkAnthropicRequest(body)).toEqual([]);
  const blocks = body.messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
  return {
    images: blocks.filter((block) => block.type === "image").length,
    notes: blocks.flatMap((block) => (block.type === "text" && block.text !== "look" ? [block.text] : [])),
    blocks,
  };
}

describe("[A11] images", () => {
  test("too many pixels, too many bytes, or not an image: replaced by a line of text", () => {
    const { images, notes } = sentImages(
      show(
        small,
        buildImage("image/png", { width: 8001, height: 10 }),
        buildImage("image/png", { width: 10, height: 10, filler: 4_000_000 }),
        { type: "image", mediaType: "image/png", data: "AAAA" },
      ),
    );
    expect(images).toBe(1);
    expect(notes).toEqual([
      "[An image is left out: 8001×10 is more than 8000 pixels.]",
      "[An image is left out: it is larger than 5 MB.]",
      "[An image is left out: it is not a readable PNG, JPEG, GIF or WebP.]",
    ]);
  });

  test("the media type is that of the bytes, and a data URL is unwrapped", () => {
    const { blocks } = sentImages(show({ type: "image", mediaType: "image/webp", data: `data:image/webp;base64,${small.data}` }));
    expect(blocks.find((block) => block.type === "image")).toMatchObject({ source: { media_type: "image/png", data: small.data } });
  });

  test("above 20 images the limit is 2000 pixels each", () => {
    const wide = buildImage("image/png", { width: 2500, height: 10 });
    expect(sentImages(show(wide, ...Array.from({ length: 19 }, () => small))).images).toBe(20);
    expect(sentImages(show(wide, ...Array.from({ length: 20 }, () => small)))).toMatchObject({
      images: 20,
      notes: ["[An image is left out: 2500×10 is more than 2000 pixels.]"],
    });
  });

  test("above 100 images the oldest are left out, twenty at a time so that the next request begins with the same bytes", () => {
    const first = sentImages(show(...Array.from({ length: 101 }, () => small)));
    expect(first.images).toBe(81);
    expect(first.blocks[1]).toMatchObject({ type: "text", text: expect.stringContaining("too many newer ones") });
    const next = sentImages(show(...Array.from({ length: 102 }, () => small)));
    expect(next.blocks.slice(0, 40).map((block) => block.type)).toEqual(first.blocks.slice(0, 40).map((block) => block.type));
  });

  test("a request stays under 32 MB: the oldest images go first", () => {
    const large = buildImage("image/png", { width: 10, height: 10, filler: 3_800_000 });
    const { images } = sentImages(show(...Array.from({ length: 8 }, () => large)));
    expect(images).toBe(6);
    const withText: MessageBody[] = [{ role: "user", content: "x".repeat(20_000_000) }, ...show(large, large, large)];
    expect(sentImages(withText).images).toBe(2);
  });

  test("[Q1] text that exceeds the limit by itself is a typed error that names the part", () => {
    expect(() => toBody([{ role: "user", content: "x".repeat(34_000_000) }])).toThrow(
      expect.objectContaining({ name: "ModelError", kind: "context-too-long", part: "text" }),
    );
  });
});
