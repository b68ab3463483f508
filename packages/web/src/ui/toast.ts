import { createExternalStore } from "../state/external-store.ts";

export interface Toast {
  id: number;
  text: string;
  tone: "plain" | "bad";
  /** Undoes what the toast reports. */
  undo?: () => void;
  /** A next step to offer. */
  action?: { label: string; run(): void };
}

/** Only the newest: an older one would be undone out of order. */
export const currentToast = createExternalStore<Toast | null>(null);

let lastId = 0;

export function showToast(toast: Omit<Toast, "id">): void {
  lastId += 1;
  currentToast.set({ ...toast, id: lastId });
}

export function dismissToast(): void {
  currentToast.set(null);
}

export function undoToast(): void {
  const { undo } = currentToast.get() ?? {};
  dismissToast();
  undo?.();
}
