import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { growsLinearly } from "@skein/testkit/hostile";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createSecret } from "./browser-secret.ts";
import { listenForTest } from "./http/testing/test-http.ts";
import { createFileLogger } from "./logger.ts";
import { createRedactor, listSecrets } from "./redact-secrets.ts";

const token = "h1dden-t0ken-of-the-data-dir-0123456789abcdef";
const ownKey = "a-key-in-no-known-format-42";

/** The real logger, and what it wrote. */
function createLog() {
  const folder = mkdtempSync(join(tmpdir(), "skein-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "server.log");
  const logger = createFileLogger(
    file,
    createRedactor(() => [token, ownKey]),
  );
  const read = () =>
    vi.waitFor(
      () => {
        const text = readFileSync(file, "utf8");
        if (!text.endsWith("\n")) throw new Error("nothing is written yet");
        return text;
      },
      { timeout: 20_000 },
    );
  return { logger, read, file };
}

const secrets: Record<string, string> = {
  token,
  "a configured key of any form": ownKey,
  "a launch code": createSecret("launch"),
  "a session cookie": createSecret("cookie"),
  "a session secret": createSecret("session"),
  "an Anthropic key": "sk-ant-api03-AbCdEf0123456789_-AbCdEf0123456789",
  "an OpenAI key": "sk-proj-AbCdEf0123456789AbCdEf0123456789",
  "a Gemini key": "AIzaSyAbCdEf0123456789AbCdEf0123456789",
  "a GitHub token": "ghp_AbCdEf0123456789AbCdEf0123456789",
  "a JSON web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
  "an AWS key id": "AKIAIOSFODNN7EXAMPLE",
};

describe("the server's log", () => {
  it.each(Object.entries(secrets))("[X11] %s is in no entry, wherever it occurs", async (_name, secret) => {
    const { logger, read } = createLog();
    const cause = Object.assign(new Error(`cause ${secret}`), {
      response: { headers: new Headers({ "x-trace": secret }), body: [secret] },
    });
    const circular: Record<string, unknown> = { [secret]: secret };
    circular.self = circular;
    logger.info(`an event with ${secret}`);
    logger.warn("fields", {
      text: `before:${secret},after`,
      json: JSON.stringify({ deep: { value: secret } }),
      nested: { list: [{ map: new Map([["a", secret]]), set: new Set([secret]) }] },
      url: new URL(`https://example.com/x?key=${secret}&b=1`),
      circular,
    });
    logger.error("failed", { error: new AggregateError([cause], `message ${secret}`, { cause: new Error("middle", { cause }) }) });
    const text = await read();
    expect(text.trim().split("\n")).toHaveLength(3);
    expect(text).not.toContain(secret);
    expect(text).toContain("before:[redacted],after");
    expect(text).toContain("redact-secrets.test.ts"); // the stack is still there
  });

  it.each([
    "Authorization: Bearer abc.def",
    "authorization: Basic dXNlcjpwYXNz",
    "cookie: other=1; skein_12345678=hidden-value",
    "set-cookie: a=hidden-value; Path=/",
    '{"x-api-key":"hidden-value"}',
    "postgres://user:hidden-value@host/db",
    "https://x.example/?access_token=hidden-value",
    "-----BEGIN PRIVATE KEY-----\nhidden-value\n-----END PRIVATE KEY-----",
  ])("[X11] of %j the secret is left out", async (text) => {
    const { logger, read } = createLog();
    logger.info("text", { text });
    expect(await read()).not.toMatch(/hidden-value|abc\.def|dXNlcjpwYXNz/);
  });

  it("[X11] fields with a secret name are left out; counts and the rest stay", async () => {
    const { logger, read, file } = createLog();
    const hidden = {
      apiKey: "x1",
      api_key: "x2",
      password: "x3",
      headers: { Authorization: "x4", cookie: ["x5"] },
      ANTHROPIC_AUTH_TOKEN: "x6",
    };
    const shown = {
      inputTokens: 12,
      token: 7,
      path: "/api/tasks",
      executionId: "exe_1",
      at: new Date(0),
      missing: null,
      data: Buffer.alloc(3),
    };
    logger.info("fields", { hidden, shown });
    const entry = JSON.parse(await read());
    expect(JSON.stringify(entry.hidden)).not.toMatch(/x\d/);
    expect(entry).toMatchObject({
      msg: "fields",
      shown: { ...shown, at: "1970-01-01T00:00:00.000Z", data: "[3 bytes]" },
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("[X11] a key that was replaced stays a secret", () => {
    let key = "the-first-key-0";
    const redact = createRedactor(() => [key]);
    redact("");
    key = "the-second-key-0";
    expect(redact("the-first-key-0 the-second-key-0")).toBe("[redacted] [redacted]");
  });

  it.each<[string, (count: number) => string]>([
    ["beginnings of web tokens", (count) => "eyJaaaaaaaa-".repeat(count / 12)],
    ["beginnings of keys", (count) => "-----BEGIN A PRIVATE KEY ".repeat(count / 25)],
    ["addresses", (count) => "a://b:".repeat(count / 6)],
    ["names of headers", (count) => "cookie ".repeat(count / 7)],
    ["one long word", (count) => "a".repeat(count)],
  ])("[X19] %s in a text of 100 kB take linear time", (_name, build) => {
    const redact = createRedactor(() => [token]);
    const built = new Map([16_000, 128_000].map((count) => [count, build(count)]));
    expect(growsLinearly((count) => void redact(built.get(count)), { size: 16_000 })).toBe(true);
  });

  it("[X11] an entry that cannot be redacted is not written", async () => {
    const { logger, read } = createLog();
    const hostile = {
      get text(): string {
        throw new Error(token);
      },
    };
    logger.info(`with ${token}`, { hostile });
    expect(await read()).toContain("could not be redacted");
    expect(await read()).not.toContain(token);
  });

  it("[X11] secrets of the environment are recognised by name", () => {
    expect(
      listSecrets({ GITHUB_TOKEN: "a", OPENAI_API_KEY: "b", DB_PASSWORD: "c", PATH: "d", NODE_ENV: "e", EMPTY_TOKEN: undefined }),
    ).toEqual(["a", "b", "c"]);
  });

  it("[X11] a request that fails inside is logged without the credentials it came with", async () => {
    const { logger, read } = createLog();
    const list = async () => {
      throw Object.assign(new Error(`refused: Authorization: Bearer ${token}`), {
        config: { headers: { authorization: `Bearer ${token}` } },
      });
    };
    const { listener, origin } = await listenForTest({ token, logger, services: { agents: { list } } });
    onTestFinished(() => listener.close());
    const response = await fetch(`${origin}/api/agents?token=${token}`, {
      headers: { authorization: `Bearer ${token}`, cookie: `a=${token}` },
    });
    expect([response.status, (await response.text()).includes(token)]).toEqual([500, false]);
    expect(await read()).toContain("a request failed");
    expect(await read()).not.toContain(token);
  });
});
