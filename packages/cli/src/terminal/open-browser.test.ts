import { describe, expect, it } from "vitest";
import { browserCommand, canOpenBrowser } from "./open-browser.ts";

const desktop = { platform: "linux", env: { DISPLAY: ":0" }, isTTY: true } as const;

describe("canOpenBrowser", () => {
  it("is true on a desktop", () => {
    expect(canOpenBrowser(desktop)).toBe(true);
    expect(canOpenBrowser({ ...desktop, env: { WAYLAND_DISPLAY: "wayland-0" } })).toBe(true);
    expect(canOpenBrowser({ platform: "darwin", env: {}, isTTY: true })).toBe(true);
  });

  it.each([
    ["no display", { ...desktop, env: {} }],
    ["no terminal", { ...desktop, isTTY: false }],
    ["CI", { ...desktop, env: { DISPLAY: ":0", CI: "true" } }],
    ["SKEIN_NO_OPEN", { ...desktop, env: { DISPLAY: ":0", SKEIN_NO_OPEN: "1" } }],
  ])("is false with %s", (_name, surroundings) => {
    expect(canOpenBrowser(surroundings)).toBe(false);
  });
});

describe("browserCommand", () => {
  it.each(["darwin", "linux", "win32"] as const)("[X7] passes the address as a single argument on %s", (platform) => {
    const url = "http://127.0.0.1:4180/?launch=a&b";
    expect(browserCommand(url, platform).args.at(-1)).toBe(url);
    expect(browserCommand(url, platform).command).not.toMatch(/cmd|sh$/);
  });
});
