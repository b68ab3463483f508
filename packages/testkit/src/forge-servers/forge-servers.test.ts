import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openGithubDescription } from "./github-description.ts";
import { startForgeServer } from "./start-forge-server.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "skein-forge-"));
});
afterEach(() => rmSync(root, { recursive: true }));

describe("scripted forges", () => {
  it("GitHub's description finds unknown parameters and fields, and answers that lack something", () => {
    const description = openGithubDescription();
    const create = description.find("POST", "/repos/acme/app/pulls");
    expect(create?.parameters).toEqual({ owner: "acme", repo: "app" });
    expect(create?.checkRequest(new URLSearchParams(), { title: "x", head: "a", base: "b" })).toEqual([]);
    expect(create?.checkRequest(new URLSearchParams("draft=1"), { title: "x", head: "a", base: "b", description: "y" })).toEqual([
      "POST /repos/{owner}/{repo}/pulls: unknown field draft",
      "POST /repos/{owner}/{repo}/pulls: unknown field description",
    ]);
    expect(create?.checkRequest(new URLSearchParams(), { title: "x", head: "a" })[0]).toContain("base");
    expect(create?.checkAnswer(201, { number: 1 })[0]).toContain("must have required property");
    expect(create?.checkAnswer(200, {})[0]).toContain("not described");
    expect(description.find("DELETE", "/repos/acme/app/pulls")).toBeUndefined();
  });

  it.each(["github", "gitlab", "gitea"] as const)("%s needs its token, and reports requests that it does not describe", async (kind) => {
    await using server = await startForgeServer({ kind, root });
    const path = { github: "/api/v3/x", gitlab: "/api/v4/x", gitea: "/api/v1/x" }[kind];
    expect((await fetch(server.url + path)).status).toBe(401);
    expect((await fetch(`${server.remoteUrl}/info/refs?service=git-upload-pack`)).status).toBe(401);
    expect((await fetch(server.url + path, { headers: { authorization: `Bearer ${server.token}` } })).status).toBe(404);
    expect(server.violations).toEqual([expect.stringContaining("is not described")]);
  });
});
