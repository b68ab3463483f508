import { sessionHeader } from "@skein/contracts";
import { readStored, writeStored } from "../preferences/stored-value.ts";

/** Where the page keeps its session's secret: no page of another origin, and so of another port, can read it. */
export const sessionSecretKey = "skein.session";

/** For a browser without storage: the session lasts until the page is reloaded. */
let unstored: string | null = null;

/** The secret that goes with the session cookie; null when this browser is not signed in. Shared by all tabs. */
export const sessionSecret = {
  get: (): string | null => readStored(sessionSecretKey) ?? unstored,
  set(secret: string | null): void {
    unstored = secret;
    writeStored(sessionSecretKey, secret);
  },
};

/** What every request to the API must carry, the event stream included. */
export function sessionHeaders(): Record<string, string> {
  const secret = sessionSecret.get();
  return secret === null ? {} : { [sessionHeader]: secret };
}
