import type { MergeMode } from "@skein/contracts";
import { useState } from "react";
import { readStored, writeStored } from "../preferences/stored-value.ts";

const storageKey = "skein.merge-mode";

/** How this browser shows tools; what is stored is the same in every mode. */
export function useMergeMode(): [MergeMode, (mode: MergeMode) => void] {
  const [mode, setMode] = useState<MergeMode>(() => toMergeMode(readStored(storageKey)));
  return [
    mode,
    (next) => {
      setMode(next);
      writeStored(storageKey, next === "live" ? null : next);
    },
  ];
}

function toMergeMode(stored: string | null): MergeMode {
  return stored === "on-complete" || stored === "off" ? stored : "live";
}
