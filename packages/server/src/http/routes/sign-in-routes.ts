import {
  acceptInvitationSchema,
  oidcStartedSchema,
  readInvitationSchema,
  shownInvitationSchema,
  signInOptionsSchema,
  signInSchema,
  startOidcSchema,
} from "@skein/contracts";
import { z } from "zod";
import type { AuditRecord } from "../../team/audit.ts";
import { userSessionLifetimeMs } from "../../team/sessions.ts";
import type { SignInResult, TeamService } from "../../team/team-service.ts";
import { HttpProblem, toProblemInput } from "../http-problem.ts";
import { refuseLimited } from "../refuse-limited.ts";
import { type HttpFeatures, jsonRoute, type Route, rawRoute } from "../route.ts";
import type { Caller } from "../security/access.ts";

const ofProvider = z.object({ provider: z.string().max(40) });

/** Pages send these before anybody is signed in. */
export const signInRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/sign-in",
    access: "public",
    summary: "Get whether this server has users, and how they sign in",
    response: signInOptionsSchema,
    handle: async ({ maybeTeam }) => maybeTeam?.signIns.options() ?? { team: false, needsSetup: false, providers: [] },
  }),
  rawRoute({
    method: "POST",
    path: "/api/sign-in",
    access: "own-page",
    auditsItself: true,
    summary: "Sign this browser in with an e-mail address and a password. Sets a cookie and returns the secret to send with it",
    body: signInSchema,
    mediaTypes: ["application/json"],
    handle: async ({ http, team, body, caller, from }) => {
      const result = await team.signIns.withPassword({ ...body, from, replaces: sessionOf(caller) });
      await recordSignIn(team, result, { address: from.address, details: { method: "password", email: body.email } });
      return toSession(http, result);
    },
  }),
  jsonRoute({
    method: "POST",
    path: "/api/invitations/read",
    access: "own-page",
    auditsItself: true,
    summary: "Get what an invitation is for, before it is accepted",
    body: readInvitationSchema,
    response: shownInvitationSchema,
    handle: async ({ team, body, from }) => {
      refuseLimited(await team.signIns.limit(from.address));
      return team.invitations.read(body.code);
    },
  }),
  rawRoute({
    method: "POST",
    path: "/api/invitations/accept",
    access: "own-page",
    auditsItself: true,
    summary: "Create a user by an invitation, and sign this browser in",
    body: acceptInvitationSchema,
    mediaTypes: ["application/json"],
    handle: async ({ http, team, body, caller, from }) => {
      refuseLimited(await team.signIns.limit(from.address));
      const result = await team.signIns.withInvitation({ ...body, from, replaces: sessionOf(caller) });
      await recordSignIn(team, result, { address: from.address, details: { method: "invitation" } });
      return toSession(http, result);
    },
  }),
  rawRoute({
    method: "POST",
    path: "/api/sign-in/:provider/start",
    access: "own-page",
    auditsItself: true,
    summary: "Start a sign-in with OpenID Connect: returns the provider's page to open",
    params: ofProvider,
    body: startOidcSchema.prefault({}),
    mediaTypes: ["application/json"],
    handle: async ({ http, team, params, body, from }) => {
      refuseLimited(await team.signIns.limit(from.address));
      const { url, binding } = await team.oidc.start(params.provider, { invitation: body.invitation });
      return Response.json(oidcStartedSchema.parse({ url }), { headers: { "set-cookie": http.cookies.flow.set(binding) } });
    },
  }),
  rawRoute({
    method: "GET",
    path: "/api/sign-in/:provider/callback",
    access: "public",
    summary: "Where the provider sends the browser back to. Redirects to a page that completes the sign-in",
    params: ofProvider,
    mediaTypes: ["text/html"],
    handle: async ({ http, team, params, headers, url, from }) => {
      try {
        const { code } = await team.oidc.complete(params.provider, { url, binding: http.cookies.flow.read(headers) });
        // the page exchanges the code for a session: a fragment appears in no log and no Referer header
        return redirect(`/launch#${code}`);
      } catch (error) {
        const problem = toProblemInput(error);
        if (problem === undefined) throw error;
        const details = { method: "oidc", provider: params.provider, problem: problem.text.code };
        await recordSignIn(team, { kind: "failed" }, { address: from.address, details });
        return redirect(`/sign-in?${new URLSearchParams({ problem: JSON.stringify(problem.text) })}`);
      }
    },
  }),
];

/** The session that the browser has; signing in ends it. */
export function sessionOf(caller: Caller) {
  return caller.kind === "user" && caller.credential.kind === "session" ? caller.credential.id : undefined;
}

/** The answer to a sign-in. All failures look the same. */
export function toSession(http: HttpFeatures, result: SignInResult): Response {
  if (result.kind === "limited") refuseLimited(result);
  if (result.kind === "busy") throw new HttpProblem({ status: 503, text: { code: "sign-in-busy" }, headers: { "retry-after": "5" } });
  if (result.kind !== "signed-in") throw new HttpProblem({ status: 401, text: { code: "sign-in-failed" } });
  const { cookie, secret, expiresAt } = result.session;
  const headers = new Headers({ "set-cookie": http.cookies.session(cookie, userSessionLifetimeMs) });
  headers.append("set-cookie", http.cookies.flow.clear());
  return Response.json({ secret, expiresAt }, { headers });
}

export async function recordSignIn(
  team: TeamService,
  result: SignInResult,
  { address, details }: Required<Pick<AuditRecord, "address" | "details">>,
): Promise<void> {
  const user = result.kind === "signed-in" ? result.session.user : undefined;
  await team.audit.append({
    ...(user === undefined ? { caller: "anyone" as const } : { caller: "user" as const, by: { id: user.id, name: user.name } }),
    action: user === undefined ? "user:sign-in-failed" : "user:signed-in",
    outcome: user === undefined ? "refused" : "done",
    subjects: user === undefined ? [] : [user.id],
    details,
    address,
  });
}

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location } });
}
