import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { forgePullRequestSchema } from "@skein/contracts";
import { expect, it, onTestFinished } from "vitest";
import { createForge } from "./create-forge.ts";

const pull = {
  ...{ number: 1, node_id: "x", html_url: "https://git.example.com/a/b/pull/1", title: "t", body: "b", state: "open", merged: false },
  ...{ mergeable: true, mergeable_state: "clean", head: { ref: "h", sha: "abc" }, base: { ref: "main" } },
};

/** A forge with GitHub's API that returns the given answers, by the end of the path. */
async function open(answers: Record<string, unknown>) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const found = Object.entries(answers).find(([end]) => pathname.endsWith(end))?.[1];
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(found ?? []));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return createForge({ repository: { kind: "github", host, path: "a/b", apiUrl: `http://${host}/api/v3` }, token: "t" });
}
const nothing = { "/check-runs": { check_runs: [] }, "/status": { statuses: [] } };
const review = { id: 1, user: { login: "ada" }, html_url: "https://x.example/", submitted_at: "2026-01-01T00:00:00Z" };

it.each([
  ["the address of a page that is none", { "/pulls/1": { ...pull, html_url: "javascript:alert(1)" } }],
  ["an address that cannot be parsed", { "/pulls/1": { ...pull, html_url: "https://[" } }],
  ["the name of a method as a review's state", { "/pulls/1": pull, "/reviews": [{ ...review, body: "x", state: "constructor" }] }],
])("[Q13] what could not be read again is not returned: %s", async (_name, answers) => {
  const forge = await open({ ...nothing, ...answers });
  const read = await forge.readPullRequest({ number: 1 }).catch((error: unknown) => error);
  if (read instanceof Error) expect(read).toMatchObject({ failure: { code: "forge-error" } });
  else expect(forgePullRequestSchema.safeParse(JSON.parse(JSON.stringify(read))).success).toBe(true);
});

it("[X13] long texts and long lists of comments are truncated", async () => {
  const comments = Array.from({ length: 900 }, (_, id) => ({ ...review, id, state: "CHANGES_REQUESTED", body: "x".repeat(8000) }));
  const forge = await open({
    ...nothing,
    "/pulls/1": { ...pull, body: "y".repeat(500_000), title: "z".repeat(10_000) },
    "/reviews": comments,
  });
  const read = await forge.readPullRequest({ number: 1 });
  expect(read.reviews.at(-1)?.id).toBe("review:899");
  expect(JSON.stringify(read).length).toBeLessThan(3_000_000);
});
