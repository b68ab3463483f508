import { createContext, useContext } from "react";

/** True on the page of a task that the user may only read. */
export const ReadOnlyPlace = createContext(false);

export const useReadOnlyPlace = (): boolean => useContext(ReadOnlyPlace);
