import type { Logout } from "@skein/contracts";
import { api } from "../api/api.ts";
import { sessionSecret } from "../api/session-secret.ts";
import { signedIn } from "./live.ts";

/** Ends this browser's session on the server, or those of all browsers, and forgets its secret. */
export async function signOut(options: Logout): Promise<void> {
  await api.signOut(options);
  sessionSecret.set(null);
  signedIn.set(false);
}
