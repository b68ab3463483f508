import type { Attempt } from "@skein/contracts";
import { createContext, useContext } from "react";

/** The attempt whose files are shown. */
export const AttemptPlace = createContext<Pick<Attempt, "directory" | "hostId"> | null>(null);

export const useAttemptPlace = () => useContext(AttemptPlace);
