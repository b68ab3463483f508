import { api } from "../api/api.ts";
import { ApiError } from "../api/api-error.ts";
import { sessionSecret } from "../api/session-secret.ts";
import { launchLinkFailed } from "../live/live.ts";
import { returnPath } from "../preferences/team-mode.ts";

/**
 * Exchanges the code of a launch link, `/launch#<code>`, for a session, and leaves the address of the board, or of the page that a user was on before signing in with a provider. The code is taken out
 * of the address, and so out of the tab's history, before anything else. A link that no longer works changes nothing: a browser
 * that is signed in stays so.
 */
export async function signInFromLaunchLink(): Promise<void> {
  if (location.pathname !== "/launch") return;
  const code = location.hash.slice(1);
  history.replaceState(null, "", "/launch");
  await untilShown();
  try {
    if (code !== "") sessionSecret.set((await api.signIn({ code })).secret);
  } catch (error) {
    launchLinkFailed.set(error instanceof ApiError);
  }
  history.replaceState(null, "", returnPath.take());
}

/** A page that the browser only renders ahead must not spend the code. */
async function untilShown(): Promise<void> {
  if (!("prerendering" in document && document.prerendering)) return;
  await new Promise((resolve) => document.addEventListener("prerenderingchange", resolve, { once: true }));
}
