import { describe, expect, it } from "vitest";
import { loadPart } from "./load-part.ts";

describe("loadPart", () => {
  const waited: number[] = [];
  const options = { delaysMs: [1, 2, 3], wait: async (ms: number) => void waited.push(ms) };

  it("waits for a server that restarts", async () => {
    let tries = 0;
    const load = async () => {
      if (++tries < 3) throw new TypeError("Failed to fetch dynamically imported module");
      return "part";
    };
    expect(await loadPart(load, options)).toBe("part");
    expect(waited.splice(0)).toEqual([1, 2]);
  });

  it("throws in the end when it does not come", async () => {
    const load = () => Promise.reject(new TypeError("gone"));
    await expect(loadPart(load, options)).rejects.toThrow("gone");
    expect(waited).toEqual([1, 2, 3]);
  });
});
