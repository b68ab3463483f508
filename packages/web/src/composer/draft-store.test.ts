import { describe, expect, it } from "vitest";
import { createDraftStore } from "./draft-store.ts";

function memoryStorage() {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

describe("drafts", () => {
  it("survive a reload, per task", () => {
    const storage = memoryStorage();
    createDraftStore(storage).write("tsk_a", "half a thought");
    const reloaded = createDraftStore(storage);
    expect([reloaded.read("tsk_a"), reloaded.read("tsk_b")]).toEqual(["half a thought", ""]);
  });

  it("leave nothing behind when they are sent", () => {
    const storage = memoryStorage();
    const drafts = createDraftStore(storage);
    drafts.write("tsk_a", "x");
    drafts.write("tsk_a", "");
    expect(storage.values.size).toBe(0);
  });

  it("are kept for the page when storage refuses them", () => {
    const full = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    const drafts = createDraftStore({ getItem: full, setItem: full, removeItem: full });
    drafts.write("tsk_a", "kept");
    expect(drafts.read("tsk_a")).toBe("kept");
  });

  it("of a size that would fill the storage stay out of it", () => {
    const storage = memoryStorage();
    const drafts = createDraftStore(storage);
    drafts.write("tsk_a", "short");
    const log = "x".repeat(300_000);
    drafts.write("tsk_a", log);
    expect([storage.values.size, drafts.read("tsk_a") === log]).toEqual([0, true]);
  });
});
