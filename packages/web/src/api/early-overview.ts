import type { Overview } from "@skein/contracts";
import { lastProject } from "../preferences/last-project.ts";
import { readAnswer, request } from "./request.ts";
import { sessionSecret } from "./session-secret.ts";

declare global {
  /** The response to `GET /api/overview` for this page, which `boot.js` requests before the app has loaded. */
  var skeinOverview: Promise<Response> | undefined;
}

/**
 * What this page shows first, all of it in one answer. Undefined if this browser is not signed in or the answer cannot be had: the
 * page then loads its parts, and reports what is wrong with them.
 */
export async function loadOverview(): Promise<Overview | undefined> {
  const early = globalThis.skeinOverview;
  globalThis.skeinOverview = undefined;
  if (sessionSecret.get() === null) return undefined;
  const project = lastProject.read();
  const loading = early
    ? readAnswer(early.then(refuseErrors), { answer: "overview", source: "GET /api/overview" })
    : // just signed in
      request(`/api/overview?mergeMode=live${project === null ? "" : `&projectId=${project}`}`, { answer: "overview" });
  return loading.catch(() => undefined);
}

function refuseErrors(response: Response): Response {
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response;
}
