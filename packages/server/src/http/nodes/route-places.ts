import type { Route } from "../route.ts";

/**
 * Which server answers a route, if several share the database. `anywhere`: everything it needs is in the database. `near`: the server of
 * the attempt knows more, such as output that are not committed yet; without it, the database answers. `machine`: it needs files or programs
 * of the machine that the project or attempt is on. `worker`: the same; if that server is gone, one that the attempt's worker is connected
 * to can answer as well.
 */
export type RoutePlace = "anywhere" | "near" | "machine" | "worker";

const near = [
  "GET /api/tasks/:id/overview",
  "GET /api/tasks/:id/conversation",
  "GET /api/attempts/:id/find",
  "GET /api/attempts/:id/history",
  "GET /api/attempts/:id/history/message",
  "GET /api/attempts/:id/export",
  "POST /api/attempts/:id/export",
  "POST /api/attempts/:id/export/preview",
];

const worker = [
  "GET /api/attempts/:id/check",
  "GET /api/attempts/:id/diff",
  "GET /api/attempts/:id/diff-stat",
  "GET /api/attempts/:id/request",
  "GET /api/executions/:id/diff",
  "GET /api/executions/:id/outputs/:name",
  "GET /api/attempts/:id/comments",
  "POST /api/attempts/:id/comments",
  "POST /api/attempts/:id/review",
  "GET /api/attempts/:id/git",
  "GET /api/attempts/:id/uncommitted",
  "POST /api/attempts/:id/commit",
  "GET /api/attempts/:id/commit-message",
  "POST /api/attempts/:id/commit-message",
  "POST /api/attempts/:id/discard",
  "POST /api/attempts/:id/restore",
  "GET /api/attempts/:id/conflict",
  "POST /api/attempts/:id/conflict",
  "GET /api/attempts/:id/folder",
  "GET /api/attempts/:id/file",
  "GET /api/attempts/:id/file-matches",
  "GET /api/attempts/:id/commands",
];

const machine = [
  "GET /api/attempts/:id/terminals",
  "POST /api/attempts/:id/terminals",
  "GET /api/attempts/:id/terminals/:terminal/output",
  "POST /api/attempts/:id/terminals/:terminal/input",
  "POST /api/attempts/:id/terminals/:terminal/size",
  "DELETE /api/attempts/:id/terminals/:terminal",
  "GET /api/attempts/:id/dev",
  "POST /api/attempts/:id/dev",
  "POST /api/attempts/:id/dev/stop",
  "DELETE /api/projects/:id",
  "GET /api/projects/:id/branches",
  "GET /api/projects/:id/agent-sessions",
  "DELETE /api/tasks/:id",
  "POST /api/tasks/:id/attempts",
  "DELETE /api/attempts/:id",
  "POST /api/attempts/:id/move",
  "POST /api/attempts/:id/update",
  "POST /api/attempts/:id/land",
  "POST /api/attempts/:id/undo-land",
  "POST /api/attempts/:id/push",
  "GET /api/attempts/:id/pull-request",
  "POST /api/attempts/:id/pull-request",
  "POST /api/attempts/:id/pull-request/check",
  "POST /api/attempts/:id/pull-request/feedback",
  "POST /api/starts",
  "POST /api/races",
  "POST /api/tasks/:id/race",
  "GET /api/projects/:id/file-matches",
  "GET /api/projects/:id/commands",
  "GET /api/projects/:id/mcp-servers",
  "POST /api/projects/:id/mcp-servers/:name/trust",
  "DELETE /api/projects/:id/mcp-servers/:name/trust",
  "GET /api/projects/:id/trust-changes",
  "GET /api/projects/:id/scripts",
  "POST /api/projects/:id/scripts/trust",
  "DELETE /api/projects/:id/scripts/trust",
  "GET /api/projects/:id/agent-settings",
  "POST /api/projects/:id/agent-settings/trust",
  "DELETE /api/projects/:id/agent-settings/trust",
  "GET /api/projects/:id/hooks",
  "POST /api/projects/:id/hooks/trust",
  "DELETE /api/projects/:id/hooks/trust",
  "GET /api/projects/:id/git-lfs",
  "POST /api/projects/:id/git-lfs/trust",
  "DELETE /api/projects/:id/git-lfs/trust",
];

const places = new Map<string, RoutePlace>([
  ...near.map((route) => [route, "near"] as const),
  ...worker.map((route) => [route, "worker"] as const),
  ...machine.map((route) => [route, "machine"] as const),
]);

export function placeOf({ method, path }: Pick<Route, "method" | "path">): RoutePlace {
  return places.get(`${method} ${path}`) ?? "anywhere";
}

const fields = ["attemptId", "taskId", "projectId"] as const;

/** The id of the project or attempt that a request is about. */
export function findSubject(request: { params: unknown; query: unknown; body: unknown }): string | undefined {
  const { body } = request;
  const task = isRecord(body) ? body.task : undefined;
  const named = [request.query, body].flatMap((part) => (isRecord(part) ? fields.map((field) => part[field]) : []));
  const starts = isRecord(task) ? [task.id, task.projectId] : [];
  const own = isRecord(request.params) ? [request.params.id] : [];
  return [...named, ...own, ...starts].find((value) => typeof value === "string");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
