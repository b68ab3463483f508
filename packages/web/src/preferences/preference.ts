import { createExternalStore, type ExternalStore, useStore } from "../state/external-store.ts";
import { readStored, writeStored } from "./stored-value.ts";

export interface Preference<Value extends string> extends ExternalStore<Value> {
  values: readonly Value[];
  key: string;
}

const all: Preference<string>[] = [];

/** One of a few values, kept in this browser and the same in all its tabs. The first value is what holds until another is chosen. */
export function createPreference<Value extends string>(key: string, values: readonly [Value, ...Value[]]): Preference<Value> {
  const read = (): Value => values.find((value) => value === readStored(key)) ?? values[0];
  const store = createExternalStore<Value>(read());
  const preference: Preference<Value> = {
    ...store,
    key,
    values,
    set(value) {
      writeStored(key, value === values[0] ? null : value);
      store.set(value);
    },
  };
  if (typeof addEventListener === "function") {
    addEventListener("storage", (event) => {
      if (event.key === key || event.key === null) store.set(read());
    });
  }
  all.push(preference as unknown as Preference<string>);
  return preference;
}

export function usePreference<Value extends string>(preference: Preference<Value>): [Value, (value: Value) => void] {
  return [useStore(preference), preference.set];
}

/** For export and import. */
export const preferences = {
  toRecord: (): Record<string, string> => Object.fromEntries(all.map(({ key, get }) => [key, get()])),
  /** Unknown preferences and values are ignored. */
  apply(record: Record<string, unknown>): void {
    for (const { key, values, set } of all) {
      const value = values.find((known) => known === record[key]);
      if (value !== undefined) set(value);
    }
  },
};
