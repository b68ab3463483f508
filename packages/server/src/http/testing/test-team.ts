import { randomBytes, scryptSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  apiTokenIdSchema,
  approvalIdSchema,
  attemptIdSchema,
  commentIdSchema,
  executionIdSchema,
  grantIdSchema,
  incomingHookIdSchema,
  invitationIdSchema,
  messageIdSchema,
  noAgentLimits,
  type ProjectRole,
  projectIdSchema,
  queuedMessageIdSchema,
  type RunningExecution,
  scheduleIdSchema,
  sessionHeader,
  sessionSchema,
  type TokenScope,
  taskIdSchema,
  templateIdSchema,
  type UserId,
  userIdSchema,
} from "@skein/contracts";
import type { Storage } from "@skein/engine";
import { openSqliteStorage } from "@skein/storage";
import { buildTask } from "@skein/testkit/builders";
import type { OidcProvider } from "../../config/team-settings.ts";
import { createEventHub, type EventHub } from "../../events/event-hub.ts";
import { silentLogger } from "../../silent-logger.fixture.ts";
import { withAudit } from "../../team/audit-alongside.ts";
import { createTeam } from "../../team/create-team.ts";
import { hashSecret } from "../../team/hash-secret.ts";
import { createOwnedKeys } from "../../team/owned-keys.ts";
import type { TeamService } from "../../team/team-service.ts";
import type { HttpAppOptions, SkeinHttp } from "../create-http-app.ts";
import type { FakeServices, ServiceOverrides } from "./fake-services.ts";
import * as samples from "./samples.ts";
import { createTestHttp, send, testOrigin } from "./test-http.ts";

export const testPassword = "correct horse battery";
/** A hash of a low cost, which a sign-in reads from it: at Skein's own, each takes a fifth of a second on purpose. */
const passwordHash = (() => {
  const salt = randomBytes(16);
  const key = scryptSync(testPassword, salt, 32, { N: 2 ** 10, r: 8, p: 1 });
  return ["scrypt", 10, 8, 1, salt.toString("base64url"), key.toString("base64url")].join("$");
})();

export interface TestTeam extends AsyncDisposable {
  http: SkeinHttp & { services: FakeServices };
  storage: Storage;
  hub: EventHub;
  team: TeamService;
  /** Time passes only when it is set. */
  clock: { now: number };
  addUser(name: string, options?: { isAdmin?: boolean; role?: ProjectRole; otherRole?: ProjectRole }): Promise<UserId>;
  /** Headers of a signed-in browser. */
  signIn(name: string): Promise<Record<string, string | null>>;
  /** Headers of a program with an API token. */
  withToken(name: string, scope: TokenScope): Promise<Record<string, string | null>>;
}

/**
 * The HTTP app with users on a real database, and services in memory. There are two projects: `prj_1` has one of everything, and so has
 * `prj_2`, with ids that end in 2.
 */
export async function createTestTeam(
  options: { services?: ServiceOverrides; oidc?: OidcProvider[]; at?: number; nodes?: HttpAppOptions["nodes"] } = {},
): Promise<TestTeam> {
  const folder = mkdtempSync(join(tmpdir(), "skein-team-"));
  const storage = withAudit(await openSqliteStorage({ file: join(folder, "skein.db") }));
  const hub = createEventHub((error) => {
    throw error;
  });
  storage.onCommitted((events) => {
    for (const { seq, event } of events) hub.publish({ seq, event });
  });
  const clock = { now: options.at ?? Date.UTC(2026, 5, 1) };
  await fillProject(storage, 1);
  await fillProject(storage, 2);
  let team: TeamService | undefined;
  const events = {
    subscribe: hub.subscribe,
    list: storage.read.listEvents,
    lastSeq: storage.read.getLastSeq,
    async *missed() {},
    live: () => [],
  };
  const draft = createTestHttp({ services: { events, ...options.services } });
  const now = () => clock.now;
  const keys = createOwnedKeys({ storage, now, secret: () => "a secret of this server" });
  team = await createTeam({
    ...{ storage, hub, services: draft.services, logger: silentLogger, now, origin: () => testOrigin },
    ...{ settings: { oidc: options.oidc ?? [] }, keys },
  });
  const { nodes } = options;
  const http = createTestHttp({ services: { events, ...options.services }, team, now, ...(nodes === undefined ? {} : { nodes }) });
  const users = new Map<string, UserId>();

  return {
    ...{ http, storage, hub, team, clock },
    async addUser(name, { isAdmin = false, role, otherRole } = {}) {
      const id = userIdSchema.parse(`usr_${name}`);
      users.set(name, id);
      const times = { createdAt: 1, updatedAt: 1, deactivatedAt: null };
      await storage.transaction(async (tx) => {
        await tx.putUser({ id, email: `${name}@example.com`, name, isAdmin, passwordHash, ...times });
        if (role !== undefined) await tx.setMember({ projectId: projectIdSchema.parse("prj_1"), userId: id, role, at: 1 });
        if (otherRole !== undefined) await tx.setMember({ projectId: projectIdSchema.parse("prj_2"), userId: id, role: otherRole, at: 1 });
      });
      return id;
    },
    async signIn(name) {
      const response = await send(http, "POST", "/api/sign-in", {
        headers: { authorization: null, origin: testOrigin },
        json: { email: `${name}@example.com`, password: testPassword },
      });
      return toBrowser(response);
    },
    async withToken(name, scope) {
      const { token } = await team.tokens.create(users.get(name) ?? userIdSchema.parse("usr_none"), {
        ...{ name: "test", scope, projectIds: null, days: 30, limits: {} },
      });
      return { authorization: `Bearer ${token}` };
    },
    async [Symbol.asyncDispose]() {
      http.close();
      await storage.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** What the page of a browser sends that was just signed in. */
export async function toBrowser(response: Response): Promise<Record<string, string | null>> {
  if (!response.ok) throw new Error(`not signed in: ${response.status} ${await response.text()}`);
  const { secret } = sessionSchema.parse(await response.json());
  const cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  return { authorization: null, origin: testOrigin, cookie, [sessionHeader]: secret };
}

async function fillProject(storage: Storage, number: number): Promise<void> {
  const project = { ...samples.project, id: projectIdSchema.parse(`prj_${number}`), path: `/repo-${number}` };
  const taskId = taskIdSchema.parse(`tsk_${number}`);
  const attemptId = attemptIdSchema.parse(`att_${number}`);
  const of = { taskId, attemptId };
  const execution: RunningExecution = { id: executionIdSchema.parse(`exe_${number}`), ...of, number: 1, startedAt: 1, status: "running" };
  const { isOutdated: _, ...comment } = samples.comment;
  await storage.transaction(async (tx) => {
    await tx.insertProject(project);
    await tx.insertTask(buildTask({ id: taskId, projectId: project.id, activeAttemptId: null }));
    await tx.insertAttempt({ ...samples.attempt, id: attemptId, taskId });
    await tx.insertExecution(execution);
    await tx.putMessages([{ ...samples.storedMessage, id: messageIdSchema.parse(`msg_${number}`), attemptId, executionId: execution.id }]);
    await tx.insertQueuedMessage({ ...samples.queuedMessage, ...of, id: queuedMessageIdSchema.parse(`que_${number}`) });
    await tx.insertApproval({ ...samples.approval, ...of, executionId: execution.id, id: approvalIdSchema.parse(`apr_${number}`) });
    await tx.putComment({ ...comment, ...of, id: commentIdSchema.parse(`cmt_${number}`), executionId: null });
    const grant = { type: "tool" as const, tool: "Read" };
    await tx.putAutomation({
      ...{ id: templateIdSchema.parse(`tpl_${number}`), kind: "template", projectId: project.id, name: "Nightly" },
      ...{ definition: { prompt: "Look at it" }, createdAt: 1, updatedAt: 1 },
    });
    await tx.putAutomation({
      ...{ id: scheduleIdSchema.parse(`sch_${number}`), kind: "schedule", projectId: project.id, name: "Nightly" },
      definition: { cron: "0 9 * * *", timeZone: "UTC", action: { type: "task", form: { prompt: "Look at it" } } },
      ...{ createdAt: 1, updatedAt: 1 },
    });
    await tx.putAutomation({
      ...{ id: incomingHookIdSchema.parse(`hok_${number}`), kind: "incoming-hook", projectId: project.id, name: "Issues" },
      definition: { salt: "s", action: { type: "task", form: { prompt: "Look at it" } } },
      ...{ createdAt: 1, updatedAt: 1 },
    });
    await tx.insertGrant({
      id: grantIdSchema.parse(`rul_${number}`),
      projectId: project.id,
      grant: samples.storedGrant.grant ?? grant,
      createdAt: 1,
    });
  });
}

/** A user other than those who ask, with an invitation and a token. */
export async function addOther({ storage, addUser, clock }: TestTeam): Promise<void> {
  const userId = await addUser("other");
  await storage.transaction(async (tx) => {
    const times = { createdAt: 1, expiresAt: clock.now + 1_000_000_000 };
    await tx.insertApiToken({
      ...{ id: apiTokenIdSchema.parse("tok_1"), userId, name: "x", scope: "read", projectIds: null, lastUsedAt: null, ...times },
      ...{ executionId: null, limits: noAgentLimits },
      tokenHash: hashSecret("ska_other"),
    });
    await tx.insertInvitation({
      ...{ id: invitationIdSchema.parse("inv_1"), email: null, isAdmin: false, projects: [], usedBy: null, ...times },
      codeHash: hashSecret("ski_other"),
    });
  });
}
