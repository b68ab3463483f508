import type { Logout } from "@skein/contracts";
import { api } from "../api/api.ts";
import { isUnauthorized } from "../api/api-error.ts";
import { sessionSecret } from "../api/session-secret.ts";
import { signedIn } from "./live.ts";

/** Ends this browser's session on the server, or those of all browsers, and forgets its secret. */
export async function signOut(options: Logout): Promise<void> {
  try {
    await api.signOut(options);
  } catch (error) {
    // the session has ended already
    if (!isUnauthorized(error)) throw error;
  }
  sessionSecret.set(null);
  signedIn.set(false);
}
