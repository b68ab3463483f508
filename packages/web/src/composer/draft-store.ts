/** Unsent text, per task. Survives a reload; an empty draft leaves nothing behind. */
export interface DraftStore {
  read(taskId: string): string;
  write(taskId: string, text: string): void;
}

const prefix = "skein.draft.";
/** A pasted log of megabytes would fill the storage of the whole app; it is kept for this page only. */
const maxStoredLength = 200_000;

export function createDraftStore(storage: Pick<Storage, "getItem" | "setItem" | "removeItem">): DraftStore {
  const unsaved = new Map<string, string>();
  return {
    read(taskId) {
      const held = unsaved.get(taskId);
      if (held !== undefined) return held;
      try {
        return storage.getItem(prefix + taskId) ?? "";
      } catch {
        return "";
      }
    },
    write(taskId, text) {
      unsaved.delete(taskId);
      try {
        if (text === "" || text.length > maxStoredLength) storage.removeItem(prefix + taskId);
        else storage.setItem(prefix + taskId, text);
        if (text.length > maxStoredLength) unsaved.set(taskId, text);
      } catch {
        unsaved.set(taskId, text);
      }
    },
  };
}
