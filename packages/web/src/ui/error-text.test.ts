import { describe, expect, it } from "vitest";
import { ApiError } from "../api/api-error.ts";
import { en } from "../i18n/en.ts";
import { zhCN } from "../i18n/zh-cn.ts";
import { describeError } from "./error-text.tsx";

const invalid = new ApiError({
  type: "about:blank",
  title: "Bad Request",
  status: 400,
  detail: "title (body): must not be empty.",
  code: "invalid-request",
  place: "body",
  path: "title",
  reason: { code: "value-empty" },
  errors: [
    { path: "title", message: "must not be empty", text: { code: "value-empty" } },
    { path: "model", message: "must have at most 5 characters", text: { code: "value-too-long", characters: 5 } },
    { path: "of a newer server", message: "As the server wrote it" },
  ],
});

describe("an invalid request", () => {
  it("[T8] names each field once, in the language of the page", () => {
    expect(describeError(invalid, en)).toBe(
      "title (body): must not be empty. model: must have at most 5 characters · of a newer server: As the server wrote it",
    );
    expect(describeError(invalid, zhCN)).toBe(
      "请求内容无效（title）：不能为空。model：不能超过 5 个字符 · of a newer server：As the server wrote it",
    );
  });
});
