import { describe, expect, it } from "vitest";
import { refusePlatform } from "./refuse-platform.ts";

describe("refusePlatform", () => {
  it("names WSL on Windows, and lets Linux and macOS run", () => {
    expect(refusePlatform("win32")).toMatch(/WSL 2.*wsl --install/);
    expect([refusePlatform("linux"), refusePlatform("darwin")]).toEqual([undefined, undefined]);
  });
});
