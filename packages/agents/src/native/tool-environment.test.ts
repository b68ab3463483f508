import { expect, test } from "vitest";
import { toToolEnvironment } from "./tool-environment.ts";

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
