import { expect, test } from "vitest";
import { toToolEnvironment } from "./tool-environment.ts";

test("[Q6] what tools start carries the id by which the runner finds it", () => {
  const environment = { SKEIN_EXECUTION_ID: "exe_1", SKEIN_EXECUTION_IDENTITY: "x" };
  expect(toToolEnvironment(environment)).toEqual({ SKEIN_EXECUTION_ID: "exe_1" });
});

test("[X11] our settings and providers' keys never reach a command", () => {
  const environment = {
    PATH: "/bin",
    HOME: "/home/p",
    SKEIN_HOME: "/x",
    ANTHROPIC_API_KEY: "k",
    OPENAI_BASE_URL: "u",
    GEMINI_API_KEY: "k",
    OTHER_API_KEY: "k",
    EMPTY: undefined,
  };
  expect(toToolEnvironment(environment)).toEqual({ PATH: "/bin", HOME: "/home/p" });
});
