import { timestampSchema } from "../json.ts";
import { type TextOf, text, toTextSchema } from "./text-shapes.ts";

const host = { host: text };

/** Why a request to a forge failed. They are stored with a pull request, too. */
export const forgeFailureShapes = {
  "forge-unreachable": host,
  "forge-unauthorized": host,
  "forge-forbidden": { ...host, said: text },
  "forge-not-found": { ...host, repository: text },
  "forge-rate-limited": { ...host, until: timestampSchema },
  "forge-rejected": { ...host, said: text },
  "forge-no-commits": { base: text },
  "forge-no-base": { ...host, base: text },
  "forge-error": { ...host, reason: text },
  "forge-insecure": host,
  "no-forge-credential": { ...host, variable: text },
};

/** Why an operation on a pull request is not possible. */
export const pullRequestFailureShapes = {
  ...forgeFailureShapes,
  "no-pull-request": {},
  "pull-request-closed": {},
  "no-feedback": {},
  "unknown-forge": host,
};

export const forgeTextSchema = toTextSchema(forgeFailureShapes);
/** Why a request to a forge failed. */
export type ForgeFailureText = TextOf<typeof forgeFailureShapes>;
/** Why an operation on a pull request failed. */
export type ForgeText = TextOf<typeof pullRequestFailureShapes>;
