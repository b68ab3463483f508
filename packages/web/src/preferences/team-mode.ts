import { readStored, writeStored } from "./stored-value.ts";

const key = "skein.team";

/**
 * Whether the server that this browser last signed in to has users. Set by the sign-in page, so that the page of a server without users
 * neither asks nor loads anything of team mode.
 */
export const teamMode = {
  isOn: (): boolean => readStored(key) === "1",
  set: (on: boolean): void => writeStored(key, on ? "1" : null),
};

const returnKey = "skein.return";

/** Where the user was before the page of a sign-in provider was opened, in this tab. */
export const returnPath = {
  set(path: string): void {
    try {
      sessionStorage.setItem(returnKey, path);
    } catch {
      // blocked: the board is shown instead
    }
  },
  take(): string {
    try {
      const path = sessionStorage.getItem(returnKey);
      sessionStorage.removeItem(returnKey);
      return path?.startsWith("/") && !path.startsWith("//") ? path : "/";
    } catch {
      return "/";
    }
  },
};
