import { describe, expect, it } from "vitest";
import { ApiError } from "../api/api-error.ts";
import { en } from "../i18n/en.ts";
import { zhCN } from "../i18n/zh-cn.ts";
import { describeError } from "./error-text.tsx";
import { toFailure } from "./to-failure.ts";

const output = "checking the files\n\u001b[31mbad.txt is not allowed\u001b[0m";
const refused = new ApiError({
  ...{ type: "about:blank", title: "Conflict", status: 409, code: "hook-refused", hook: "pre-commit", output },
  detail: `The repository's pre-commit hook refused it, so nothing was changed.\n${output}`,
});

describe("a refusal by a hook", () => {
  it.each([
    ["en", en, "The repository's pre-commit hook refused it, so nothing was changed."],
    ["zh-CN", zhCN, "仓库的 pre-commit 钩子拒绝了此操作，没有任何改动。"],
  ] as const)("[G2] is a sentence without the output, which is shown on its own: %s", (_, dictionary, text) => {
    expect(toFailure(refused, (error) => describeError(error, dictionary))).toEqual({ text, refusal: { hook: "pre-commit", output } });
  });
});
