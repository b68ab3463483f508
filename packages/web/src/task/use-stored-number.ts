import { useState } from "react";
import { readStored, writeStored } from "../preferences/stored-value.ts";

/** A size that the user chose, stored in this browser. */
export function useStoredNumber(
  key: string,
  initial: number,
  { min, max }: { min: number; max: number },
): [number, (value: number) => void] {
  const [value, setValue] = useState(() => {
    const stored = Number(readStored(key) ?? Number.NaN);
    return stored >= min && stored <= max ? stored : initial;
  });
  return [
    value,
    (next) => {
      setValue(next);
      writeStored(key, next === initial ? null : String(next));
    },
  ];
}
