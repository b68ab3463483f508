import type { MergeMode } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { settingsQuery } from "../api/shell-api.ts";
import { readStored, writeStored } from "../preferences/stored-value.ts";

const storageKey = "skein.merge-mode";

/** What was chosen in this browser; null: it follows the server's setting. */
export const ownMergeMode = {
  read(): MergeMode | null {
    const stored = readStored(storageKey);
    return stored === "live" || stored === "on-complete" || stored === "off" ? stored : null;
  },
  write: (mode: MergeMode | null) => writeStored(storageKey, mode),
};

/** How this browser shows tools: as in the server's setting, until another mode is chosen here. What is stored is the same in all modes. */
export function useMergeMode(): [MergeMode, (mode: MergeMode) => void] {
  const { data: settings } = useQuery({ ...settingsQuery, refetchOnMount: true, staleTime: 60_000 });
  const [own, setOwn] = useState(ownMergeMode.read);
  const ofServer = settings?.general.mergeMode ?? "live";
  return [
    own ?? ofServer,
    (next) => {
      // choosing the server's mode means following it again
      const chosen = next === settings?.general.mergeMode ? null : next;
      setOwn(chosen);
      ownMergeMode.write(chosen);
    },
  ];
}
