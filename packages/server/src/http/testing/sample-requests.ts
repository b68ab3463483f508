import type { Route } from "../route.ts";
import { accountRoutes } from "../routes/account-routes.ts";
import { memberRoutes } from "../routes/member-routes.ts";
import { signInRoutes } from "../routes/sign-in-routes.ts";
import { userRoutes } from "../routes/user-routes.ts";

const ids: Record<string, string> = {
  projects: "prj_1",
  tasks: "tsk_1",
  workers: "hst_1",
  nodes: "nod_1",
  jobs: "job_1",
  templates: "tpl_1",
  schedules: "sch_1",
  hooks: "hok_1",
  "incoming-hooks": "hok_1",
  attempts: "att_1",
  queue: "que_1",
  approvals: "apr_1",
  inbox: "exe_1",
  executions: "exe_1",
  quarantine: "exe_1",
  "permission-rules": "rul_1",
  comments: "cmt_1",
  agents: "acp:demo",
  users: "usr_other",
  invitations: "inv_1",
  tokens: "tok_1",
};
/** A valid body of each route that has one. */
export const sampleBodies: Record<string, unknown> = {
  "POST /api/projects": { path: "/repo" },
  "PATCH /api/nodes/:id": { draining: true },
  "POST /api/nodes/launch-codes": { code: "unknown" },
  "PATCH /api/projects/:id": { name: "new" },
  "POST /api/tasks": { projectId: "prj_1", title: "A task" },
  "PATCH /api/tasks/:id": { status: "done" },
  "PATCH /api/tasks": { updates: [{ id: "tsk_1", changes: { archived: true } }] },
  "POST /api/tasks/:id/attempts": { agent: "native" },
  "POST /api/commands": { type: "SEND_MESSAGE", taskId: "tsk_1", message: "hello" },
  "POST /api/starts": { id: "1", task: { projectId: "prj_1" }, message: "hello" },
  "POST /api/races": { id: "1", task: { projectId: "prj_1" }, message: "hello", attempts: [{ agent: "native" }, { agent: "codex" }] },
  "POST /api/templates": { projectId: "prj_1", name: "Nightly", prompt: "Look at {{file}}" },
  "POST /api/schedules": {
    ...{ projectId: "prj_1", name: "Nightly", cron: "0 9 * * *", timeZone: "UTC" },
    action: { type: "template", templateId: "tpl_1", values: { file: "a.ts" } },
  },
  "POST /api/hooks/:id": { issue: { title: "Crash" } },
  "POST /api/incoming-hooks": { projectId: "prj_1", name: "Issues", action: { type: "task", form: { prompt: "Look at {{issue.title}}" } } },
  "PATCH /api/incoming-hooks/:id": { enabled: false },
  "PATCH /api/schedules/:id": { enabled: false },
  "PATCH /api/templates/:id": { name: "Weekly" },
  "POST /api/tasks/:id/race": { message: "hello", attempts: [{ agent: "native" }, { agent: "codex" }] },
  "POST /api/projects/:id/scripts/trust": { hash: "a".repeat(64) },
  "POST /api/projects/:id/git-lfs/trust": { hash: "a".repeat(64) },
  "POST /api/projects/:id/agent-settings/trust": { hash: "a".repeat(64) },
  "POST /api/projects/:id/hooks/trust": { hash: "a".repeat(64) },
  "PATCH /api/queue/:id": { message: "changed" },
  "PATCH /api/attempts/:id": { permissionMode: "ask" },
  "POST /api/queue/:id/move": { before: null },
  "POST /api/executions/:id/move": { before: null },
  "POST /api/executions/:id/budget-answer": { decision: "more", since: 1 },
  "PATCH /api/executions/:id/parked": { isAutomatic: true },
  "POST /api/executions/:id/continue-with": { agent: "codex", model: null },
  "PUT /api/tasks/:id/budget": { budget: { costUsd: 5 } },
  "PUT /api/settings/providers/:name": { apiKey: "sk-test" },
  "PATCH /api/settings/defaults": { permissionMode: "ask" },
  "PATCH /api/settings/general": { toolTimeoutMinutes: 30 },
  "POST /api/agents": { catalogueId: "demo", hash: "a".repeat(64) },
  "PATCH /api/agents/:id": { enabled: false },
  "POST /api/approvals/:id": { decision: "allow" },
  "PATCH /api/inbox/:id": { cleared: true },
  "POST /api/attempts/:id/terminals": { columns: 80, rows: 24 },
  "POST /api/attempts/:id/terminals/:terminal/input": { data: "ls\r" },
  "POST /api/attempts/:id/terminals/:terminal/size": { columns: 80, rows: 24 },
  "POST /api/attempts/:id/comments": { body: "Why?" },
  "POST /api/attempts/:id/move": { host: null },
  "POST /api/attempts/:id/export": { format: "markdown" },
  "POST /api/attempts/:id/export/preview": {},
  "POST /api/import": { source: "claude-code" },
  "POST /api/import/file": {
    ...{ format: "skein-attempt/2", exportedAt: 1, version: "1", executions: [], changes: null, conversation: [], redaction: null },
    task: {
      ...{ id: "tsk_far", projectId: "prj_far", title: "A task", description: "", status: "done", priority: "none", tags: [], position: 1 },
      ...{ archived: false, activeAttemptId: "att_far", createdAt: 1, updatedAt: 1 },
    },
    attempt: {
      ...{ id: "att_far", taskId: "tsk_far", number: 1, agent: "native", model: null, permissionMode: "ask", systemPrompt: "" },
      ...{ isolation: "in-place", directory: "/far", branch: null, baseBranch: null, baseCommit: null, sessionId: null },
      ...{ continuedFrom: null, active: true, createdAt: 1, updatedAt: 1 },
    },
  },
  "POST /api/workers": {},
  "PATCH /api/workers/:id": { state: "draining" },
  "POST /api/workers/enrolments": {
    ...{ code: "code", credential: "a".repeat(43) },
    report: { name: "box", tags: [], capacity: 1, version: "1" },
  },
  "PATCH /api/comments/:id": { resolved: true },
  "POST /api/attempts/:id/review": { id: "1" },
  "PUT /api/attempts/:id/viewed": { path: "a.ts", contentId: "", viewed: true },
  "POST /api/attempts/:id/commit": { message: "x" },
  "POST /api/attempts/:id/commit-message": { paths: ["a.ts"] },
  "POST /api/attempts/:id/discard": { files: [{ path: "a.ts" }] },
  "POST /api/attempts/:id/restore": { executionId: "exe_1", to: "before" },
  "POST /api/attempts/:id/update": {},
  "POST /api/attempts/:id/conflict": { action: "abort" },
  "POST /api/attempts/:id/land": {},
  "POST /api/attempts/:id/push": {},
  "POST /api/attempts/:id/pull-request": {},
  "POST /api/attempts/:id/pull-request/feedback": { id: "1" },
  "POST /api/sign-in": { email: "nobody@example.com", password: "wrong" },
  "POST /api/invitations/read": { code: "ski_none" },
  "POST /api/invitations/accept": { code: "ski_none", name: "Nobody", password: "a long password" },
  "PATCH /api/me": { name: "Renamed" },
  "PUT /api/me/password": { current: "the old password", password: "the new password" },
  "POST /api/me/tokens": { name: "ci", scope: "read" },
  "PUT /api/me/keys/:name": { apiKey: "sk-test" },
  "PUT /api/projects/:id/members/:userId": { role: "member" },
  "POST /api/projects/:id/invitations": { role: "viewer" },
  "PUT /api/projects/:id/keys/:name": { apiKey: "sk-test" },
  "POST /api/users": { email: "new@example.com", name: "New" },
  "PATCH /api/users/:id": { name: "Renamed" },
  "POST /api/invitations": {},
  "POST /api/clean": { ids: ["worktree:att_1"], olderThanDays: 7 },
  "POST /api/tokens": { userId: "usr_other", name: "ci", scope: "read" },
  "POST /mcp": { jsonrpc: "2.0", id: 1, method: "tools/list" },
  "PUT /api/settings/forges/:host": { kind: "github", token: "ghp-test" },
  "POST /api/projects/:id/mcp-servers/:name/trust": { hash: "0".repeat(64) },
};

const queries: Record<string, string> = {
  "/api/search": "?q=task",
  "/api/schedule-times": "?cron=0+9+*+*+*&timeZone=UTC",
  "/api/ids": "?prefix=tsk_0",
  "/api/import/file": "?projectId=prj_1",
  "/api/usage": "?from=0&to=1",
  "/api/folders": "?path=~/",
  "/api/projects/:id/agent-sessions": "?agent=acp:demo",
  "/api/attempts/:id/find": "?q=text",
  "/api/attempts/:id/file": "?path=a.ts",
  "/api/attempts/:id/conflict": "?path=a.ts",
  "/api/attempts/:id/history/message": "?messageId=msg_1",
};

export const keyOf = ({ method, path }: Pick<Route, "method" | "path">) => `${method} ${path}`;
/** A valid address, with ids that end in `number`. */
export const addressOf = ({ path }: Pick<Route, "path">) =>
  path
    .replace("/providers/:name", "/providers/openai")
    .replace(/\/keys\/:name/, "/keys/openai")
    .replace("/me/sessions/:id", "/me/sessions/ses_1")
    .replace("/me/tokens/:id", "/me/tokens/tok_1")
    .replace(":userId", "usr_other")
    .replace(":provider", "demo")
    .replace(":host", "git.example.com")
    .replace(":id", ids[path.split("/")[2] ?? ""] ?? "")
    .replace(":terminal", "trm_1")
    .replace(":name", "demo") + (queries[path] ?? "");

/** Routes that only a server with users has. */
export const needsTeam = (route: Route): boolean =>
  [...signInRoutes, ...accountRoutes, ...memberRoutes, ...userRoutes].includes(route) &&
  !["GET /api/me", "GET /api/sign-in"].includes(keyOf(route)) &&
  !route.path.startsWith("/api/tokens");
