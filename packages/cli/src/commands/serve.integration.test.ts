import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { createSandbox } from "../testing/spawn-skein.ts";

describe("skein serve", () => {
  it("[X3] prints a link that signs a browser in, and exits with 0 on Ctrl-C", async () => {
    await using sandbox = createSandbox();
    const server = sandbox.skein(["serve", "--port", "0"]);
    const [launchUrl = ""] = await server.printed(/http:\/\/127\.0\.0\.1:\d+\/\S+/);
    const { origin, hash } = new URL(launchUrl);
    const response = await fetch(`${origin}/api/sessions`, {
      method: "POST",
      headers: { origin, "content-type": "application/json" },
      body: JSON.stringify({ code: hash.slice(1) }),
    });
    expect(response.headers.get("set-cookie")).toContain("HttpOnly");
    server.child.kill("SIGINT");
    // npm forwards Ctrl-C in addition to the terminal: both together are one key press, not the second one, which forces an exit.
    server.child.kill("SIGINT");
    const { code, stdout, stderr } = await server.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Stopping.");
  });

  it("[Q16] a second one on the same data dir points to the first and exits 0", async () => {
    await using sandbox = createSandbox();
    const first = sandbox.skein(["serve", "--port", "0"]);
    const [origin = ""] = await first.printed(/http:\/\/127\.0\.0\.1:\d+/);
    const second = await sandbox.skein(["serve", "--port", "0"]).ended;
    expect(second.code).toBe(0);
    expect(second.stdout).toContain("already running");
    expect(second.stdout).toContain(origin);
    const opened = await sandbox.skein(["open"]).ended;
    expect(opened.code).toBe(0);
    expect(opened.stdout.startsWith(origin)).toBe(true);
  });

  it("reports which port is in use and what to do", async () => {
    await using sandbox = createSandbox();
    await using blocker = createServer().listen(0, "127.0.0.1");
    await once(blocker, "listening");
    const address = blocker.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { code, stderr } = await sandbox.skein(["serve", "--port", String(port)]).ended;
    expect(code).toBe(1);
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use by another program.`);
    expect(stderr).toContain("SKEIN_PORT=");
    expect(stderr).not.toContain("    at ");
  });

  it("[X1] does not listen on other addresses without TLS or a proxy", async () => {
    await using sandbox = createSandbox();
    const { code, stderr } = await sandbox.skein(["serve", "--host", "0.0.0.0", "--port", "0"]).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^skein: .*--behind-proxy/);
  });

  it("open explains how to start a server if none is running", async () => {
    await using sandbox = createSandbox();
    const { code, stderr } = await sandbox.skein(["open"]).ended;
    expect(code).toBe(1);
    expect(stderr).toContain("No Skein server is running");
  });
});
