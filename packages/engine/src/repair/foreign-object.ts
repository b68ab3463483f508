import { isJsonObject } from "@skein/contracts/is-json-object";

/** A message, item or part of another program. Its fields are checked when they are read. */
export type ForeignObject = Readonly<Record<string, unknown>>;

/** The objects of a list; empty for anything else. */
export function toObjects(value: unknown): ForeignObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function toJsonText(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}

/** Whether a value is a text that is not blank. */
export function hasText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

/** Moves what `isFirst` selects to the front; the order is kept otherwise. */
export function putFirst<T>(items: readonly T[], isFirst: (item: T) => boolean): T[] {
  return [...items.filter(isFirst), ...items.filter((item) => !isFirst(item))];
}
