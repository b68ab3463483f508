import { describe, expect, it, vi } from "vitest";
import { createSandbox } from "../testing/spawn-skein.ts";

describe("skein hooks", () => {
  it("[L6] adds an incoming webhook and prints its secret once; rotates, turns off and on, lists deliveries, removes", async () => {
    await using sandbox = createSandbox();
    const server = sandbox.skein(["serve", "--port", "0"]);
    await server.printed(/is ready/);
    const skein = (...args: string[]) => sandbox.skein(args).ended;
    expect((await skein("hooks")).stdout).toMatch(/^No incoming webhooks yet/);
    const model = ["--agent", "native", "--model", sandbox.script([{ text: "Done." }]), "--permission-mode", "full"];
    const added = await skein("hooks", "add", "issues", "Look at {{issue.title}}", "--repo", sandbox.repository, ...model);
    const [, url = "", secret = ""] = /^Address: (\S+)\nSecret, shown this once: (skh_\S+)$/m.exec(added.stdout) ?? [];
    const deliver = (token: string) =>
      fetch(url, {
        method: "POST",
        headers: { "x-gitlab-token": token, "content-type": "application/json" },
        body: JSON.stringify({ issue: { title: "Crash" } }),
      });
    expect((await deliver(secret)).status).toBe(200);
    await vi.waitFor(async () => expect((await skein("hooks", "runs", "issues")).stdout).toMatch(/ done +tsk_/), { timeout: 60_000 });
    expect((await skein("hooks")).stdout).toMatch(/issues +on +.* done +starts a task/);
    expect((await skein("hooks")).stdout).not.toContain(secret);
    const rotated = await skein("hooks", "rotate", "issues");
    expect(rotated.stdout).toMatch(/Secret, shown this once: skh_/);
    expect((await deliver(secret)).status).toBe(403);
    expect((await skein("hooks", "off", "issues")).stdout).toBe("issues is off.\n");
    expect((await skein("hooks", "on", "issues")).stdout).toBe("issues is on.\n");
    expect((await skein("hooks", "remove", "issues")).stdout).toBe("Deleted issues.\n");
    server.child.kill("SIGTERM");
    await server.ended;
  });
});
