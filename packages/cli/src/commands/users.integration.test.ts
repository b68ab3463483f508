import {
  apiTokenSchema,
  executionSchema,
  meSchema,
  projectSchema,
  sessionHeader,
  sessionSchema,
  startedTaskSchema,
} from "@skein/contracts";
import { expect, it } from "vitest";
import { createSandbox } from "../testing/spawn-skein.ts";

it("[W5] a server with users: the first administrator, an invitation, roles, a token, who sent what, the audit log, deactivation", async () => {
  await using sandbox = createSandbox();
  const run = async (args: string[], input?: string) => {
    const { code, stdout, stderr } = await sandbox.skein(args, input === undefined ? {} : { input }).ended;
    return { code, stdout: stdout.trim(), stderr };
  };
  const created = await run(["users", "create", "ada@example.com", "--name", "Ada", "--admin"], "a long password\n");
  expect(created).toMatchObject({ code: 0 });
  const server = sandbox.skein(["serve", "--team", "--port", "0", "--no-open"]);
  const [, url = ""] = await server.printed(/Open\s+(http:\/\/[^\s]+)/);
  expect(new URL(url).hash).toBe("");
  const origin = new URL(url).origin;
  const call = (path: string, { headers = {}, ...init }: { method?: string; headers?: Record<string, string>; json?: unknown } = {}) =>
    fetch(new URL(path, origin), {
      method: init.method ?? (init.json === undefined ? "GET" : "POST"),
      headers: { ...headers, ...(init.json === undefined ? {} : { "content-type": "application/json" }) },
      ...(init.json === undefined ? {} : { body: JSON.stringify(init.json) }),
    });
  const toBrowser = async (response: Response) => {
    expect(response.status).toBe(200);
    const { secret } = sessionSchema.parse(await response.json());
    return { origin, cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "", [sessionHeader]: secret };
  };
  const signIn = (email: string) => call("/api/sign-in", { headers: { origin }, json: { email, password: "a long password" } });
  const ada = await toBrowser(await signIn("ada@example.com"));
  const project = projectSchema.parse(await (await call("/api/projects", { headers: ada, json: { path: sandbox.repository } })).json());

  const link = (await run(["users", "invite", "--email", "grace@example.com", "--project", project.name, "--role", "member"])).stdout;
  const accepted = { code: new URL(link).hash.slice(1), name: "Grace", password: "a long password" };
  const grace = await toBrowser(await call("/api/invitations/accept", { headers: { origin }, json: accepted }));
  expect(meSchema.parse(await (await call("/api/me", { headers: grace })).json())).toMatchObject({
    isAdmin: false,
    projects: [{ role: "member" }],
  });
  // no launch link signs a browser in any more
  expect((await run(["open", "--no-open"])).stdout).toBe(`${origin}/`);

  const { stdout: token } = await run(["tokens", "create", "grace@example.com", "--name", "ci", "--scope", "write"]);
  const program = { authorization: `Bearer ${token}` };
  expect((await call("/api/users", { headers: program })).status).toBe(403);
  expect((await call(`/api/projects/${project.id}`, { method: "DELETE", headers: grace })).status).toBe(403);
  const model = sandbox.script([{ text: "Done." }]);
  const start = { id: "1", task: { projectId: project.id }, attempt: { agent: "native", model }, message: "Do it" };
  const started = startedTaskSchema.parse(await (await call("/api/starts", { headers: program, json: start })).json());
  expect(started.task.by?.name).toBe("Grace");
  const ended = async () => {
    const [execution] = executionSchema
      .array()
      .parse(await (await call(`/api/attempts/${started.attempt.id}/executions`, { headers: grace })).json());
    return execution;
  };
  await expect.poll(async () => (await ended())?.status, { timeout: 30_000 }).toBe("success");
  expect((await ended())?.by?.name).toBe("Grace");
  expect((await run(["show", started.task.id])).stdout).toMatch(/Grace:\n> Do it/);
  expect((await run(["tasks"])).stdout).toMatch(/BY[\s\S]*Grace/);

  expect((await run(["users", "role", "grace@example.com", project.name, "none"])).code).toBe(0);
  expect((await call(`/api/tasks/${started.task.id}`, { headers: grace })).status).toBe(404);
  expect((await run(["users", "deactivate", "grace@example.com"])).code).toBe(0);
  expect([(await call("/api/me", { headers: grace })).status, (await call("/api/me", { headers: program })).status]).toEqual([401, 401]);
  expect((await signIn("grace@example.com")).status).toBe(401);
  expect(apiTokenSchema.array().parse(JSON.parse((await run(["tokens", "--json"])).stdout))).toEqual([]);

  const audit = (await run(["audit", "--limit", "100"])).stdout;
  expect(audit).toMatch(/Grace\s+127\.0\.0\.1\s+done\s+POST \/api\/starts/);
  expect(audit).toMatch(/Grace\s+\S+\s+refused\s+DELETE \/api\/projects\/:id/);
  expect(audit).toMatch(/\(server's token\)\s+\S+\s+done\s+PATCH \/api\/users\/:id/);
  expect(audit).not.toContain("a long password");
}, 120_000);
