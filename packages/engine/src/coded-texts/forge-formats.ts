import type { ForgeText } from "@skein/contracts";
import type { TextFormats } from "./text-formats.ts";

export const forgeFormats: TextFormats<ForgeText> = {
  "forge-unreachable": ({ host }) => `${host} cannot be reached. Check the network, then try again.`,
  "forge-unauthorized": ({ host }) =>
    `${host} rejected the token: it has expired, or was revoked. Sign in again with its command line tool, or set a new token in Settings.`,
  "forge-forbidden": ({ host, said }) => `${host} does not allow this: ${said} Check the permissions of the token.`,
  "forge-not-found": ({ host, repository }) =>
    `${repository} was not found on ${host}, or the token has no access to it. Check the remote's address and the token.`,
  "forge-rate-limited": ({ host, until }) => `${host} accepts no more requests until ${new Date(until).toISOString()}. Try again then.`,
  "forge-rejected": ({ host, said }) => `${host} rejected the request: ${said}`,
  "forge-no-commits": ({ base }) => `The branch has no commits that ${base} does not have. Commit something first.`,
  "forge-no-base": ({ host, base }) => `There is no branch ${base} on ${host}. Push it first, or choose another base branch.`,
  "forge-error": ({ host, reason }) => `${host} failed (${reason}). Nothing was lost. Try again later.`,
  "forge-insecure": ({ host }) => `${host} would be reached without encryption, so no token is sent to it. Use an https address.`,
  "no-forge-credential": ({ host, variable }) =>
    `There is no token for ${host}. Sign in with its command line tool, set ${variable}, or add a token in Settings.`,
  "no-pull-request": "This attempt has no pull request.",
  "pull-request-closed": "The pull request is closed. Open a new one to continue.",
  "no-feedback": "There are no failed checks and no comments to send.",
  "unknown-forge": ({ host }) =>
    `Skein does not know which forge runs on ${host}. Add a token for it in Settings, which also asks for the kind.`,
};
