import { buildImage } from "@skein/testkit/histories";
import { expect, it } from "vitest";
import { allowImages } from "./allow-images.ts";

it("[X19] many large images of one message are not all shown", () => {
  const large = buildImage("image/png", { width: 5000, height: 5000 });
  const small = buildImage("image/png", { width: 10, height: 10 });
  expect(allowImages([large, large, large, small]).map(({ isAllowed }) => isAllowed)).toEqual([true, true, false, false]);
  expect(allowImages([small, large, small]).map(({ isAllowed }) => isAllowed)).toEqual([true, true, true]);
});
