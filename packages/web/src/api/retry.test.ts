import { describe, expect, it } from "vitest";
import { ApiError, NetworkError, parseProblem } from "./api-error.ts";
import { withRetry } from "./retry.ts";

const wait = () => Promise.resolve();
const failing = (errors: unknown[]) => {
  const calls: number[] = [];
  return {
    calls,
    action: async () => {
      calls.push(calls.length);
      const error = errors.shift();
      if (error) throw error;
      return "answer";
    },
  };
};

describe("withRetry", () => {
  it("[E2] asks again, with the same command, when no answer came", async () => {
    const { action, calls } = failing([new NetworkError("cut"), new NetworkError("cut")]);
    expect(await withRetry(action, { wait })).toBe("answer");
    expect(calls).toHaveLength(3);
  });

  it("does not ask again when the server refused", async () => {
    const { action, calls } = failing([new ApiError(parseProblem({ detail: "no" }, 409, ""))]);
    await expect(withRetry(action, { wait })).rejects.toThrow("no");
    expect(calls).toHaveLength(1);
  });

  it("gives up with the last failure", async () => {
    const { action, calls } = failing(Array.from({ length: 9 }, () => new NetworkError("cut")));
    await expect(withRetry(action, { wait, delaysMs: [1, 1] })).rejects.toBeInstanceOf(NetworkError);
    expect(calls).toHaveLength(3);
  });
});

describe("parseProblem", () => {
  it("keeps the detail and the field errors of a problem", () => {
    const problem = parseProblem(
      { title: "Bad", detail: "Not a repository", code: "not-a-repository", errors: [{ path: "path", message: "x" }, 1] },
      422,
      "",
    );
    expect(problem).toEqual({
      type: "about:blank",
      title: "Bad",
      status: 422,
      detail: "Not a repository",
      code: "not-a-repository",
      errors: [{ path: "path", message: "x" }],
    });
  });

  it("makes one of an answer that is none", () => {
    expect(parseProblem("<html>", 502, "Bad Gateway").detail).toBe("Bad Gateway");
    expect(parseProblem(null, 500, "").detail).toBe("HTTP 500");
  });
});
