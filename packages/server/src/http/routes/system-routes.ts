import {
  createLaunchCodeSchema,
  createSessionSchema,
  foundIdsSchema,
  healthSchema,
  launchCodeSchema,
  logoutSchema,
  mergeModeSchema,
  overviewSchema,
  projectIdSchema,
  searchResultSchema,
  sequenceSchema,
  taskIdSchema,
} from "@skein/contracts";
import { z } from "zod";
import { HttpProblem } from "../http-problem.ts";
import { jsonRoute, type Route, rawRoute } from "../route.ts";
import { recordSignIn, sessionOf, toSession } from "./sign-in-routes.ts";
import { taskOverviewQuery } from "./task-routes.ts";

export const systemRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/health",
    summary: "Get version, storage state and readiness",
    access: "public",
    response: healthSchema,
    handle: async ({ services }) => services.health(),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/ids",
    access: "signed-in",
    agents: true,
    summary: "Find ids of tasks and attempts by prefix: `tsk_…`, `att_…`",
    query: z.object({
      prefix: z.string().regex(/^(tsk|att)_[0-9A-Za-z_-]{0,100}$/),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    response: foundIdsSchema,
    handle: ({ services, query }) => services.findIds(query),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/search",
    access: "signed-in",
    agents: true,
    summary: "Search tasks and conversations",
    query: z.object({
      q: z.string().trim().min(1, "must not be empty").max(1000),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    response: searchResultSchema,
    async handle({ services, query, signal }) {
      try {
        return { hits: await services.search({ text: query.q, limit: query.limit, signal }) };
      } catch (error) {
        // the user typed another letter: nobody reads this response
        if (signal.aborted) return { hits: [] };
        throw error;
      }
    },
  }),
  jsonRoute({
    method: "GET",
    path: "/api/overview",
    access: "signed-in",
    summary:
      "Get in one response what a client shows first: projects, pending approvals, the inbox, the first `tasks` of a project with short " +
      "descriptions and activities, and, with `taskId`, that task as in `GET /api/tasks/:id/overview`. The project is that of the task, `projectId`, or " +
      "the first. Continue with `GET /api/events?after=<lastSeq>`",
    query: z.object({
      projectId: projectIdSchema.exactOptional(),
      taskId: taskIdSchema.exactOptional(),
      tasks: z.coerce.number().int().min(1).max(1000).default(200),
      ...taskOverviewQuery,
    }),
    response: overviewSchema,
    handle: ({ services, query }) =>
      services.overviews.start({ ...query, mergeMode: query.mergeMode ?? services.settings.general().mergeMode }),
  }),
  rawRoute({
    method: "GET",
    path: "/api/events",
    access: "signed-in",
    agents: true,
    summary:
      "Stream events (server-sent events). `after` or Last-Event-ID replays missed events. A message is sent at once without an id, " +
      "and again with its id when it is committed. With `repeats=short`, the second one is a `message:committed` with only the " +
      "message's id and revision, and a growing text is sent as `message:grown`: the text to `append` to the revision " +
      "`from`, and the message without its content. `mergeMode` selects how tools are shown: `live` cards, cards `on-complete`, or `off` " +
      "for unmerged uses and results. The default is the setting",
    query: z.object({
      after: z.coerce.number().pipe(sequenceSchema).exactOptional(),
      taskId: taskIdSchema.exactOptional(),
      repeats: z.enum(["whole", "short"]).default("whole"),
      mergeMode: mergeModeSchema.exactOptional(),
    }),
    mediaTypes: ["text/event-stream"],
    handle: async ({ http, services, method, headers, caller, query, disconnect }) => {
      // a HEAD response has no body: its stream would never be read and never end
      if (method === "HEAD") return new Response(null, { headers: { "content-type": "text/event-stream" } });
      const { taskId, repeats, mergeMode = services.settings.general().mergeMode } = query;
      return http.openEventStream({
        services,
        after: lastEventId(headers) ?? query.after,
        taskId,
        shortRepeats: repeats === "short",
        mergeMode,
        caller,
        disconnect,
      });
    },
  }),
  jsonRoute({
    method: "POST",
    path: "/api/launch-codes",
    summary:
      "Create a single-use link that signs a browser in. With users: the address to sign in at, or, without any yet, a link to create the first",
    access: "token",
    status: 201,
    body: createLaunchCodeSchema.prefault({}),
    response: launchCodeSchema,
    handle: async ({ http, body, maybeTeam }) => {
      // users sign in by themselves; the first one is created by an invitation
      if (maybeTeam !== undefined) return { url: await maybeTeam.signIns.link() };
      return { url: http.createLaunchUrl(), ...(body.redirectFile ? { redirectFile: http.createLaunchFile() } : {}) };
    },
  }),
  rawRoute({
    method: "POST",
    path: "/api/sessions",
    summary: "Sign this browser in with the code of a launch link. Sets a cookie and returns the secret to send with it",
    access: "own-page",
    auditsItself: true,
    body: createSessionSchema,
    mediaTypes: ["application/json"],
    handle: async ({ http, body, caller, maybeTeam: team, headers, from }) => {
      if (team !== undefined) {
        const binding = http.cookies.flow.read(headers);
        const result = await team.signIns.withCode({ code: body.code, binding, from, replaces: sessionOf(caller) });
        await recordSignIn(team, result, { address: from.address, details: { method: "oidc" } });
        return toSession(http, result);
      }
      const signedIn = await http.signIn(body.code, caller);
      if (signedIn !== undefined) return Response.json(signedIn.session, { headers: { "set-cookie": signedIn.setCookie } });
      throw new HttpProblem({ status: 403, text: { code: "launch-code-not-valid" } });
    },
  }),
  rawRoute({
    method: "POST",
    path: "/api/logout",
    access: "signed-in",
    summary: "Sign out this browser, or all browsers",
    body: logoutSchema.prefault({}),
    mediaTypes: [],
    handle: async ({ http, body, caller }) =>
      new Response(null, { status: 204, headers: { "set-cookie": await http.signOut(caller, body) } }),
  }),
  rawRoute({
    method: "GET",
    path: "/metrics",
    access: "admin",
    // what a scraper stores may not manage users
    scope: "read",
    summary: "Get the metrics of this server in Prometheus' text format, if they are on: see docs/telemetry.md",
    mediaTypes: ["text/plain"],
    handle: async ({ http }) => {
      if (http.renderMetrics === undefined) throw new HttpProblem({ status: 404, text: { code: "metrics-off" } });
      return new Response(await http.renderMetrics(), {
        headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" },
      });
    },
  }),
  rawRoute({
    method: "GET",
    path: "/api/openapi.json",
    access: "signed-in",
    summary: "Get this API as an OpenAPI 3.1 document",
    mediaTypes: ["application/json"],
    handle: async ({ http }) => Response.json(await http.describeApi()),
  }),
];

/** Set by the browser when it reconnects; it is then newer than `after` in the URL. */
function lastEventId(headers: Headers): number | undefined {
  const value = headers.get("last-event-id");
  return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
