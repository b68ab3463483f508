import type { ProblemText, ProjectId, TokenScope } from "@skein/contracts";
import type { Services } from "../../services/services.ts";
import type { TokenAccess } from "../../team/token-access.ts";
import { findMissingScope, findToken, hasRole, type TokenCaller, toScope, toViewer, type UserCaller } from "../../team/viewer.ts";
import { HttpProblem } from "../http-problem.ts";
import type { Route } from "../route.ts";
import type { Caller, ProjectAccess } from "./access.ts";
import { collectIds } from "./request-ids.ts";

interface ParsedRequest {
  params: unknown;
  query: unknown;
  body: unknown;
}

export interface Authorized {
  /** As the caller sees them. */
  services: Services;
  /** Ids that the request names, and the project of the first. */
  ids: string[];
  projectId: ProjectId | undefined;
}

/** Decides what a user or a token may do, before the body is read: everything that does not depend on a project. */
export function authorizeCaller(route: Pick<Route, "access" | "method" | "scope" | "agents">, caller: Caller): void {
  const { access } = route;
  if (access === "browser" && (caller.kind !== "user" || caller.credential.kind !== "session")) refuse({ code: "browser-required" });
  if (caller.kind !== "user" && caller.kind !== "token") return;
  if (findToken(caller)?.executionId != null && !isOpenToAgents(route)) refuse({ code: "not-for-agents" });
  if (access === "admin") {
    if (caller.kind === "user" && !caller.user.isAdmin) refuse({ code: "admin-required" });
    requireScope(caller, "admin");
  }
  if (access === "signed-in") requireScope(caller, route.scope ?? (route.method === "GET" ? "read" : "write"));
}

/** The agent of an execution may read its project and use routes that are marked for agents; everything else requires a user. */
function isOpenToAgents({ access, method, agents }: Pick<Route, "access" | "method" | "agents">): boolean {
  return agents !== undefined || (method === "GET" && typeof access === "object" && access.project === "viewer");
}

/**
 * The one place that checks the project of a request. What the user may not see is reported as missing, exactly as an unknown id is; what
 * the user may see but not do, as forbidden.
 */
export async function authorize(
  route: Pick<Route, "access" | "scope" | "agents" | "params" | "query" | "body">,
  caller: Caller,
  { params, query, body }: ParsedRequest,
  { tokens, services }: { tokens: Pick<TokenAccess, "locateProjects" | "servicesFor">; services: Services },
): Promise<Authorized> {
  const ids = [...new Set([...collectIds(route.params, params), ...collectIds(route.query, query), ...collectIds(route.body, body)])];
  const projects = await tokens.locateProjects(ids);
  const projectId = ids.map((id) => projects.get(id)).find((id) => id !== undefined);
  if (caller.kind !== "user" && caller.kind !== "token") return { services, ids, projectId };
  const { access } = route;
  if (typeof access === "object") {
    const viewer = toViewer(caller);
    const isVisible = (project: ProjectId | undefined) => project !== undefined && viewer.roleIn(project) !== undefined;
    const roles = ids.map((id) => ({ id, project: projects.get(id) })).filter(({ project }) => project !== undefined);
    const [first] = ids;
    // a route of a project without a known id has nothing to decide about
    if (roles.length === 0) throw missing(first ?? "", access);
    // an unknown subject is reported before others that do exist
    if (first !== undefined && !isVisible(projects.get(first))) throw missing(first, access);
    for (const { id, project } of roles) {
      if (!isVisible(project)) throw missing(id, access);
    }
    const isRefusedLater = route.agents === "to-refuse" && findToken(caller)?.executionId != null;
    if (!isRefusedLater) requireScope(caller, route.scope ?? toScope(access.project));
    for (const { project } of roles) {
      const role = project && viewer.roleIn(project);
      if (role === undefined || !hasRole(role, access.project)) refuse({ code: "role-required", role: access.project });
    }
  }
  return { services: tokens.servicesFor(caller), ids, projectId };
}

function requireScope(caller: UserCaller | TokenCaller, needed: TokenScope): void {
  const scope = findMissingScope(caller, needed);
  if (scope !== undefined) refuse({ code: "scope-required", scope });
}

function refuse(text: ProblemText): never {
  throw new HttpProblem({ status: 403, text });
}

const subjects: Record<string, Extract<ProblemText, { code: `${string}-not-found`; id: string }>["code"]> = {
  prj: "project-not-found",
  tsk: "task-not-found",
  att: "attempt-not-found",
  exe: "execution-not-found",
  msg: "message-not-found",
  que: "queued-message-not-found",
  apr: "approval-not-found",
  cmt: "comment-not-found",
  rul: "permission-rule-not-found",
  tpl: "template-not-found",
  sch: "schedule-not-found",
  hok: "webhook-not-found",
};

function missing(id: string, { subject }: ProjectAccess): HttpProblem {
  const code = subject === undefined ? (subjects[id.slice(0, 3)] ?? "not-found") : (`${subject}-not-found` as const);
  // the compiler compares no more than 25 members of a union one by one
  return new HttpProblem({ status: 404, text: { code, id } as ProblemText });
}
