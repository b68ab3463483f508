import { afterEach, expect, it, vi } from "vitest";

const source = new URL("./find-program.ts", import.meta.url);

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A copy of the module that reads the variable again; resetting all modules would slow down later tests. */
async function load(folder: string): Promise<typeof import("./locate-program.ts")> {
  vi.stubEnv("SKEIN_PROGRAMS", folder);
  const copy = new URL(`./locate-program.ts?${encodeURIComponent(folder)}`, import.meta.url).href;
  return import(/* @vite-ignore */ copy);
}

it("sources start each other's sources", async () => {
  const { locateProgram, locateFolder, requirePackage } = await load("");
  expect(locateProgram(source)).toEqual(source);
  expect(locateFolder(source, "web")).toEqual(source);
  expect(requirePackage("unbash")).toMatchObject({ parse: expect.any(Function) });
});

it("with a build, every program is in its folder, under the name of its source", async () => {
  const { locateProgram, locateFolder } = await load("/a build");
  expect(locateProgram(source).href).toBe("file:///a%20build/find-program.js");
  expect(locateProgram(new URL("../x/start.mjs", import.meta.url)).href).toBe("file:///a%20build/start.js");
  expect(locateFolder(source, "web").href).toBe("file:///a%20build/web");
});
