import {
  createdApiTokenSchema,
  createdInvitationSchema,
  problemSchema,
  projectIdSchema,
  taskIdSchema,
  userIdSchema,
} from "@skein/contracts";
import { buildTask } from "@skein/testkit/builders";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { send, testOrigin } from "../testing/test-http.ts";
import { createTestTeam, type TestTeam, testPassword, toBrowser } from "../testing/test-team.ts";

let team: TestTeam;
beforeEach(async () => {
  team = await createTestTeam();
});
afterEach(() => team[Symbol.asyncDispose]());

type Headers = Record<string, string | null>;
const page: Headers = { authorization: null, origin: testOrigin };
const request = (method: string, path: string, headers: Headers, json?: unknown) =>
  send(team.http, method, path, { headers, ...(json === undefined ? {} : { json }) });
const codeOf = async (response: Response) => [response.status, problemSchema.parse(await response.json()).code];
const tryPassword = (email: string, password: string) => request("POST", "/api/sign-in", page, { email, password });
const prj1 = projectIdSchema.parse("prj_1");

describe("passwords", () => {
  it("[W5] a wrong password, an unknown address and a deactivated user get the same answer", async () => {
    await team.addUser("ada");
    const gone = await team.addUser("gone");
    await team.addUser("admin", { isAdmin: true });
    await team.team.users.update(gone, { isActive: false });
    const answers = await Promise.all([
      tryPassword("ada@example.com", "wrong"),
      tryPassword("nobody@example.com", testPassword),
      tryPassword("gone@example.com", testPassword),
    ]);
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(new Set(texts).size).toBe(1);
    expect(answers.flatMap((answer) => answer.headers.getSetCookie())).toEqual([]);
  });

  it("[W5] guesses at an account are blocked for longer and longer, parallel ones too, and for accounts that do not exist as well", async () => {
    await team.addUser("ada");
    for (const email of ["ada@example.com", "nobody@example.com"]) {
      const answers = await Promise.all(Array.from({ length: 12 }, () => tryPassword(email, "wrong")));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array(5).fill(401), ...Array(7).fill(429)]);
      // also with the right password, until the block is over
      expect(await codeOf(await tryPassword(email, testPassword))).toEqual([429, "sign-in-limited"]);
    }
    team.clock.now += 2000;
    expect((await tryPassword("ada@example.com", "wrong")).status).toBe(401);
    const blocked = await tryPassword("ada@example.com", testPassword);
    expect(Number(blocked.headers.get("retry-after"))).toBeGreaterThan(1);
    team.clock.now += 20 * 60_000;
    expect((await tryPassword("ADA@Example.com ", testPassword)).status).toBe(200);
  });

  it("[W5] guesses from one address at many accounts are blocked", async () => {
    // the guess at an account that does not exist takes a fifth of a second of the processor
    for (let i = 0; i < 31; i++) if (i % 10 !== 0) await team.addUser(`user${i}`);
    const statuses: number[] = [];
    for (let i = 0; i < 31; i++) statuses.push((await tryPassword(`user${i}@example.com`, "wrong")).status);
    expect([statuses.filter((one) => one === 401).length, statuses.at(-1)]).toEqual([30, 429]);
  });

  it("[X18] each sign-in is a new session; the one before ends, and a cookie that somebody else chose is worth nothing", async () => {
    await team.addUser("ada");
    const first = await team.signIn("ada");
    const chosen = await request(
      "POST",
      "/api/sign-in",
      { ...page, cookie: `${first.cookie?.split("=")[0]}=chosen-by-somebody` },
      {
        ...{ email: "ada@example.com", password: testPassword },
      },
    );
    expect((await toBrowser(chosen)).cookie).not.toContain("chosen");
    const second = await request("POST", "/api/sign-in", first, { email: "ada@example.com", password: testPassword });
    expect((await request("GET", "/api/me", await toBrowser(second))).status).toBe(200);
    expect((await request("GET", "/api/me", first)).status).toBe(401);
    // one half of a session is worth nothing, also with the other half of another
    const [a, b] = [await team.signIn("ada"), await team.signIn("ada")];
    expect((await request("GET", "/api/me", { ...a, cookie: b.cookie ?? null })).status).toBe(401);
  });

  it("[W5] a new password ends the other sessions, and needs the old one", async () => {
    await team.addUser("ada");
    const [here, there] = [await team.signIn("ada"), await team.signIn("ada")];
    const change = (current: string) => request("PUT", "/api/me/password", here, { current, password: "another long password" });
    expect(await codeOf(await change("wrong"))).toEqual([403, "password-wrong"]);
    expect((await change(testPassword)).status).toBe(204);
    expect((await request("GET", "/api/me", here)).status).toBe(200);
    expect((await request("GET", "/api/me", there)).status).toBe(401);
    expect((await tryPassword("ada@example.com", "another long password")).status).toBe(200);
  });
});

describe("invitations", () => {
  const accept = (url: string, more: object = {}) =>
    request("POST", "/api/invitations/accept", page, {
      code: new URL(url).hash.slice(1),
      name: "Grace",
      password: "a long password",
      ...more,
    });

  it("[W5] an owner's invitation creates a member of that project, once, with the address it was made for", async () => {
    await team.addUser("owner", { role: "owner" });
    const owner = await team.signIn("owner");
    const created = await request("POST", "/api/projects/prj_1/invitations", owner, { email: "grace@example.com", role: "viewer" });
    const { url } = createdInvitationSchema.parse(await created.json());
    expect((await accept(url, { password: "short" })).status).toBe(400);
    const browser = await toBrowser(await accept(url, { email: "somebody@else.example" }));
    const me = await (await request("GET", "/api/me", browser)).json();
    expect(me).toMatchObject({ user: { email: "grace@example.com" }, isAdmin: false, projects: [{ projectId: "prj_1", role: "viewer" }] });
    expect(await codeOf(await accept(url, { email: "x@example.com" }))).toEqual([403, "invitation-not-valid"]);
  });

  it("[W5] two at once: one user is created; expired and withdrawn ones create none; a taken address leaves it usable", async () => {
    await team.addUser("ada");
    const { invitations } = team.team;
    const open = { isAdmin: false, projects: [], days: 1 };
    const { url } = await invitations.create(open, undefined);
    expect(await codeOf(await accept(url, { email: "ada@example.com" }))).toEqual([409, "email-taken"]);
    const both = await Promise.all(["a", "b"].map((name) => accept(url, { email: `${name}@example.com` })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
    const withdrawn = await invitations.create(open, undefined);
    await invitations.remove(withdrawn.id);
    expect((await accept(withdrawn.url, { email: "c@example.com" })).status).toBe(403);
    const late = await invitations.create(open, undefined);
    team.clock.now += 25 * 60 * 60_000;
    expect((await accept(late.url, { email: "d@example.com" })).status).toBe(403);
    expect((await team.storage.read.listUsers()).length).toBe(2);
  });
});

describe("API tokens", () => {
  it("[W5] a token is shown once, stored as a hash, and cannot extend its own rights", async () => {
    await team.addUser("ada", { role: "owner", isAdmin: false });
    const ada = await team.signIn("ada");
    const created = await request("POST", "/api/me/tokens", ada, { name: "ci", scope: "manage" });
    const { token, id } = createdApiTokenSchema.parse(await created.json());
    const program = { authorization: `Bearer ${token}` };
    expect((await request("GET", "/api/projects/prj_1", program)).status).toBe(200);
    expect(JSON.stringify(await (await request("GET", "/api/me/tokens", ada)).json())).not.toContain(token);
    for (const [method, path, json] of [
      ["POST", "/api/me/tokens", { name: "more", scope: "admin" }],
      ["PUT", "/api/me/password", { current: testPassword, password: "another long password" }],
      ["GET", "/api/me/sessions", undefined],
      ["PUT", "/api/me/keys/openai", { apiKey: "sk" }],
    ] as const) {
      expect(await codeOf(await request(method, path, program, json))).toEqual([403, "browser-required"]);
    }
    expect(await codeOf(await request("POST", "/api/users", program, { email: "a@b.c", name: "x" }))).toEqual([403, "admin-required"]);
    expect(await codeOf(await request("POST", "/api/me/tokens", ada, { name: "x", scope: "admin" }))).toEqual([403, "admin-required"]);
    // its user loses a role: so does the token
    await team.team.members.set(prj1, userIdSchema.parse("usr_ada"), "viewer");
    expect(await codeOf(await request("PATCH", "/api/projects/prj_1", program, { name: "x" }))).toEqual([403, "role-required"]);
    expect((await request("DELETE", `/api/me/tokens/${id}`, ada)).status).toBe(204);
    expect((await request("GET", "/api/projects", program)).status).toBe(401);
  });

  it("[W5] a token for one project sees nothing else, and ends when it expires", async () => {
    await team.addUser("admin", { isAdmin: true });
    const { token } = await team.team.tokens.create(userIdSchema.parse("usr_admin"), {
      name: "x",
      scope: "manage",
      projectIds: [prj1],
      limits: {},
      days: 1,
    });
    const program = { authorization: `Bearer ${token}` };
    expect((await request("GET", "/api/tasks/tsk_1", program)).status).toBe(200);
    expect(await codeOf(await request("GET", "/api/tasks/tsk_2", program))).toEqual([404, "task-not-found"]);
    team.clock.now += 25 * 60 * 60_000;
    expect((await request("GET", "/api/tasks/tsk_1", program)).status).toBe(401);
  });

  it("[X21] nobody ends a session or revokes a token of somebody else", async () => {
    await team.addUser("ada");
    await team.addUser("eve");
    const [ada, eve] = [await team.signIn("ada"), await team.signIn("eve")];
    const { id } = createdApiTokenSchema.parse(await (await request("POST", "/api/me/tokens", ada, { name: "a", scope: "read" })).json());
    const [session] = await team.team.sessions.list(userIdSchema.parse("usr_ada"));
    expect(await codeOf(await request("DELETE", `/api/me/tokens/${id}`, eve))).toEqual([404, "token-not-found"]);
    expect(await codeOf(await request("DELETE", `/api/me/sessions/${session?.id}`, eve))).toEqual([404, "session-not-found"]);
    expect((await request("GET", "/api/me", ada)).status).toBe(200);
  });
});

describe("events", () => {
  /** Everything that a stream has sent so far, as text; ends with the stream. */
  function listen(response: Response) {
    let text = "";
    const ended = (async () => {
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
    })();
    return { ended, text: () => text };
  }
  const addTask = (number: number, project: 1 | 2) => {
    const task = buildTask({
      id: taskIdSchema.parse(`tsk_9${number}`),
      projectId: projectIdSchema.parse(`prj_${project}`),
      title: `secret ${project}`,
    });
    return team.storage.transaction(async (tx) => {
      await tx.insertTask(task);
      await tx.appendEvent({ type: "task:created", taskId: task.id, task }, 1);
      await tx.appendEvent(
        {
          type: "review:changed",
          taskId: task.id,
          attemptId: (await tx.listAttempts({ taskId: taskIdSchema.parse(`tsk_${project}`) }))[0]?.id ?? ("" as never),
        },
        1,
      );
    });
  };

  it("[X21] a stream, live and replayed, has only what its user may see", async () => {
    await team.addUser("ada", { role: "viewer" });
    const ada = await team.signIn("ada");
    const live = listen(await request("GET", "/api/events", ada));
    await addTask(1, 2);
    await addTask(2, 1);
    const replayed = listen(await request("GET", "/api/events?after=0", ada));
    const ofTask = listen(await request("GET", "/api/events?after=0&taskId=tsk_91", ada));
    await expect.poll(() => live.text()).toContain("tsk_92");
    await expect.poll(() => replayed.text()).toContain("tsk_92");
    await team.team.sessions.endAll(userIdSchema.parse("usr_ada"));
    await Promise.all([live.ended, replayed.ended, ofTask.ended]);
    for (const { text } of [live, replayed, ofTask]) expect(text()).not.toMatch(/tsk_91|prj_2|secret 2/);
  });

  it("[X21] a change of rights ends the open streams: what follows is sent with the new rights only", async () => {
    const id = await team.addUser("ada", { role: "member" });
    const ada = await team.signIn("ada");
    const before = listen(await request("GET", "/api/events", ada));
    await team.team.members.set(prj1, id, null);
    await addTask(1, 1);
    await before.ended;
    expect(before.text()).not.toContain("tsk_91");
    const after = listen(await request("GET", "/api/events?after=0", ada));
    await expect.poll(() => after.text()).toContain("access:changed");
    await team.team.members.set(projectIdSchema.parse("prj_2"), id, "viewer");
    await after.ended;
    // the page learns of it when it connects again, and reloads what it shows
    expect(after.text()).toContain("access:changed");
    expect(after.text()).not.toContain("tsk_91");
    const again = listen(await request("GET", "/api/events", ada));
    await addTask(2, 2);
    await expect.poll(() => again.text()).toContain("tsk_92");
    await team.team.users.update(id, { isActive: false });
    await again.ended;
    expect((await request("GET", "/api/events", ada)).status).toBe(401);
  });
});

describe("what was done", () => {
  it("[W5] is recorded with who, what, when and from where; refusals and failed sign-ins as well; nobody can change it", async () => {
    await team.addUser("ada", { role: "member" });
    await team.addUser("admin", { isAdmin: true });
    await tryPassword("ada@example.com", "wrong");
    const ada = await team.signIn("ada");
    await request("DELETE", "/api/tasks/tsk_1", ada);
    await request("DELETE", "/api/projects/prj_1", ada);
    await request("PUT", "/api/projects/prj_1/keys/openai", await team.signIn("admin"), { apiKey: "sk-very-secret" });
    const page = await (await request("GET", "/api/audit", await team.signIn("admin"))).json();
    const entries = (page as { entries: { action: string; outcome: string; by?: { name: string }; projectId?: string }[] }).entries;
    const lines = entries.map(({ action, outcome, by, projectId }) => [by?.name ?? null, action, outcome, projectId ?? null]).reverse();
    expect(lines.slice(0, 4)).toEqual([
      [null, "user:sign-in-failed", "refused", null],
      ["ada", "user:signed-in", "done", null],
      ["ada", "DELETE /api/tasks/:id", "done", "prj_1"],
      ["ada", "DELETE /api/projects/:id", "refused", null],
    ]);
    expect(JSON.stringify(page)).not.toContain("sk-very-secret");
    expect(await codeOf(await request("GET", "/api/audit", ada))).toEqual([403, "admin-required"]);
  });

  it("[W5] the last administrator stays one", async () => {
    const id = await team.addUser("admin", { isAdmin: true });
    const admin = await team.signIn("admin");
    for (const changes of [{ isAdmin: false }, { isActive: false }]) {
      expect(await codeOf(await request("PATCH", `/api/users/${id}`, admin, changes))).toEqual([409, "last-admin"]);
    }
  });
});

describe("lists", () => {
  it("[X21] contain only projects of the user", async () => {
    await team.addUser("ada", { role: "viewer" });
    await team.addUser("admin", { isAdmin: true });
    const [ada, admin] = [await team.signIn("ada"), await team.signIn("admin")];
    // the services in memory return one task of prj_1
    await team.team.members.set(prj1, userIdSchema.parse("usr_ada"), null);
    for (const path of ["/api/projects", "/api/approvals", "/api/inbox"]) {
      expect([path, await (await request("GET", path, ada)).json()]).toEqual([path, []]);
      expect(JSON.stringify(await (await request("GET", path, admin)).json())).toContain("_1");
    }
    const storage = await (await request("GET", "/api/storage", ada)).json();
    expect(storage).toMatchObject({ database: 0, other: 0, projects: [] });
  });
});
