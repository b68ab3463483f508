import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ForgeKind } from "@skein/contracts";
import { type ForgeServer, startForgeServer } from "@skein/testkit/forge-servers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createForge } from "./create-forge.ts";
import type { Forge, ForgeRepository } from "./forge.ts";
import { recogniseForge } from "./recognise-forge.ts";

const kinds: ForgeKind[] = ["github", "gitlab", "gitea"];
const head = "skein/greet-1";

describe.each(kinds)("%s", (kind) => {
  let folder = "";
  let server: ForgeServer;
  let forge: Forge;
  let repository: ForgeRepository;

  const git = (...args: string[]) =>
    execFileSync("git", ["-C", join(folder, "clone"), "-c", "user.name=Ada", "-c", "user.email=ada@example.invalid", ...args], {
      encoding: "utf8",
    });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "skein-forge-"));
    server = await startForgeServer({ kind, root: join(folder, "forge") });
    const found = recogniseForge({ host: server.host, path: "acme/app", protocol: "http" }, { [server.host]: { kind } });
    if (found === undefined) throw new Error("the forge was not recognised");
    repository = found;
    forge = await createForge({ repository, token: server.token });
    execFileSync("git", ["init", "--quiet", "--initial-branch=main", join(folder, "clone")]);
    writeFileSync(join(folder, "clone", "a.txt"), "one\n");
    git("add", "--all");
    git("commit", "--quiet", "--message", "first");
    writeFileSync(join(folder, "clone", "a.txt"), "two\n");
    git("checkout", "--quiet", "-b", head);
    git("commit", "--quiet", "--all", "--message", "second");
    git("push", "--quiet", join(folder, "forge", "acme", "app.git"), "main", head);
  });
  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
    // every request and answer was as the forge describes them
    expect(server.violations).toEqual([]);
  });

  const open = () => forge.createPullRequest({ title: "Greet", body: "Says hello.", head, base: "main", draft: false });

  it("[G6] a pull request is created, found by its branch, read and updated; creating it again updates it", async () => {
    expect(await forge.findPullRequest({ head })).toBeUndefined();
    expect(await open()).toEqual({ number: 1, outcome: "created" });
    expect(await forge.findPullRequest({ head })).toBe(1);
    const commit = git("rev-parse", head).trim();
    expect(await forge.readPullRequest({ number: 1 })).toEqual({
      ...{
        number: 1,
        url: expect.stringContaining(server.url),
        title: "Greet",
        body: "Says hello.",
        state: "open",
        head,
        headCommit: commit,
        base: "main",
      },
      ...{ mergeable: "yes", checks: [], reviews: [] },
    });
    await forge.updatePullRequest({ number: 1, title: "Greet people", draft: true });
    expect(await forge.readPullRequest({ number: 1 })).toMatchObject({ title: "Greet people", state: "draft" });
    expect(server.world.getPull(1)).toMatchObject({ body: "Says hello.", draft: true });
    await forge.updatePullRequest({ number: 1, draft: false });
    expect(await forge.readPullRequest({ number: 1 })).toMatchObject({ title: "Greet people", state: "open" });
    expect(await forge.createPullRequest({ title: "Greet all", body: "More.", head, base: "main", draft: false })).toEqual({
      number: 1,
      outcome: "updated",
    });
    expect(server.world.pulls).toMatchObject([{ title: "Greet all", body: "More.", state: "open" }]);
  });

  it("[G6] a draft is created as a draft", async () => {
    await forge.createPullRequest({ title: "Greet", body: "", head, base: "main", draft: true });
    expect(await forge.readPullRequest({ number: 1 })).toMatchObject({ state: "draft", title: "Greet" });
  });

  it("[G7] checks, reviews and comments on lines are read, oldest first, with the log of a failed check", async () => {
    await open();
    server.world.setCheck(1, { name: "build", state: "success" });
    server.world.setCheck(1, {
      name: "test",
      state: "failure",
      summary: "1 test failed",
      log: `${"x\n".repeat(20_000)}expected two, got one\n`,
    });
    server.world.setCheck(1, { name: "lint", state: "pending" });
    server.world.addReview(1, { author: "grace", body: "Why?" });
    server.world.addReview(1, {
      ...{ author: "grace", state: "changes-requested", body: "Not yet." },
      lines: [{ path: "a.txt", line: 1, body: "Use three." }],
    });
    server.world.addReview(1, { author: "linus", state: "approved", body: "" });
    const { checks, reviews } = await forge.readPullRequest({ number: 1 });
    expect(checks.map(({ name, state }) => [name, state]).toSorted()).toEqual([
      ["build", "success"],
      ["lint", "pending"],
      ["test", "failure"],
    ]);
    const failed = checks.find(({ name }) => name === "test");
    const log = failed && (await forge.readCheckLog(failed));
    expect(log).toMatch(kind === "gitea" ? /^$/ : /expected two, got one\n?$/);
    expect(log?.length).toBeLessThan(10_000);
    expect(reviews).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ author: "grace", state: "commented", body: "Why?", path: null, line: null }),
        expect.objectContaining({ author: "grace", state: "commented", body: "Use three.", path: "a.txt", line: 1 }),
        expect.objectContaining({ author: "linus", state: "approved" }),
      ]),
    );
    expect(reviews.map(({ createdAt }) => createdAt)).toEqual(reviews.map(({ createdAt }) => createdAt).toSorted((a, b) => a - b));
    expect(new Set([...checks, ...reviews].map(({ id }) => id)).size).toBe(checks.length + reviews.length);
  });

  it("[G7] comments on many pages are read whole", async () => {
    await open();
    for (let n = 0; n < 230; n++) server.world.addReview(1, { author: "grace", body: `comment ${n}` });
    const { reviews } = await forge.readPullRequest({ number: 1 });
    expect(reviews.map(({ body }) => body)).toEqual(Array.from({ length: 230 }, (_, n) => `comment ${n}`));
  });

  it("[G7] what has not changed is not transferred again, and changes are noticed", async () => {
    await open();
    server.world.addReview(1, { author: "grace", body: "Hm." });
    const first = await forge.readPullRequest({ number: 1 });
    server.requests.length = 0;
    expect(await forge.readPullRequest({ number: 1 })).toEqual(first);
    expect(server.requests.length).toBeGreaterThan(0);
    expect([...new Set(server.requests.map(({ status }) => status))]).toEqual([304]);
    server.world.setCheck(1, { name: "test", state: "failure" });
    expect((await forge.readPullRequest({ number: 1 })).checks).toMatchObject([{ name: "test", state: "failure" }]);
    expect(server.requests.at(-1)).toMatchObject({ isConditional: true });
  });

  it("[G7] merged, and closed by somebody else", async () => {
    await open();
    server.world.merge(1);
    server.requests.length = 0;
    expect(await forge.readPullRequest({ number: 1 })).toMatchObject({ state: "merged", checks: [], reviews: [] });
    expect(server.requests).toHaveLength(1);
    git("commit", "--quiet", "--allow-empty", "--message", "third");
    git("push", "--quiet", join(folder, "forge", "acme", "app.git"), head);
    expect(await open()).toEqual({ number: 2, outcome: "created" });
    server.world.close(2);
    expect(await forge.readPullRequest({ number: 2 })).toMatchObject({ state: "closed" });
  });

  it("[G6] a branch without commits, a missing base and a missing repository are reported as such", async () => {
    server.world.git("update-ref", "refs/heads/main", `refs/heads/${head}`);
    await expect(open()).rejects.toMatchObject({ failure: { code: "forge-no-commits", base: "main" } });
    await expect(forge.createPullRequest({ title: "x", body: "", head, base: "gone", draft: false })).rejects.toMatchObject({
      failure: { code: "forge-no-base", host: server.host, base: "gone" },
    });
    const other = await createForge({ repository: { ...repository, path: "acme/other" }, token: server.token });
    await expect(other.readPullRequest({ number: 1 })).rejects.toMatchObject({
      failure: { code: "forge-not-found", repository: "acme/other" },
    });
  });

  it("[G6] an expired token, a limit on requests, a failing server and a missing network are distinguished", async () => {
    await open();
    const read = () => forge.readPullRequest({ number: 1 });
    const reset = Math.ceil(Date.now() / 1000) + 60;
    server.failNext({ status: 429, headers: { "retry-after": "120" }, times: 1 });
    const limited = await read().catch((error: unknown) => error);
    expect(limited).toMatchObject({ failure: { code: "forge-rate-limited", host: server.host } });
    const names = kind === "gitlab" ? ["ratelimit-remaining", "ratelimit-reset"] : ["x-ratelimit-remaining", "x-ratelimit-reset"];
    server.failNext({ status: kind === "gitlab" ? 429 : 403, headers: { [names[0] ?? ""]: "0", [names[1] ?? ""]: String(reset) } });
    await expect(read()).rejects.toMatchObject({ failure: { code: "forge-rate-limited", until: reset * 1000 } });
    server.failNext({ status: 403, body: { message: "Resource not accessible by personal access token" } });
    await expect(read()).rejects.toMatchObject({ failure: { code: "forge-forbidden", said: expect.stringContaining("not accessible") } });
    server.failNext({ status: 502, body: "<html>Bad gateway</html>" });
    await expect(read()).rejects.toMatchObject({ failure: { code: "forge-error", reason: "HTTP 502" } });
    server.setToken("another");
    const failure = await read().catch((error: unknown) => error);
    expect(failure).toMatchObject({ failure: { code: "forge-unauthorized", host: server.host } });
    expect(JSON.stringify(failure) + String(failure)).not.toContain("forge-token");
    await server.close();
    await expect(read()).rejects.toMatchObject({ failure: { code: "forge-unreachable", host: server.host } });
  });

  it("an answer that is not as described is an error, not a crash", async () => {
    await open();
    server.failNext({ status: 200, body: { number: "one" } });
    await expect(forge.readPullRequest({ number: 1 })).rejects.toMatchObject({
      failure: { code: "forge-error", reason: expect.stringContaining("unexpected answer") },
    });
  });

  it("[X11] a page of a list never leads the token to another host", async () => {
    await open();
    server.failNext({
      status: 200,
      body: [],
      headers: { link: '<http://localhost:9/next>; rel="next"' },
      matches: /pulls\/1\/|notes|reviews/,
    });
    await expect(forge.readPullRequest({ number: 1 })).rejects.toMatchObject({
      failure: { code: "forge-error", reason: "unexpected address http://localhost:9" },
    });
  });
});
