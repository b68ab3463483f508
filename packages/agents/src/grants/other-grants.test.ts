import { describe, expect, test } from "vitest";
import { isAllowed, toGrant } from "./grants.ts";
import { createWorktreeFixture, grantFor } from "./worktree.fixture.ts";

const { directory, token, tryCommand } = createWorktreeFixture();

describe("[X17] the exact command", () => {
  const exact = (command: string) => [{ type: "command", tool: "bash", command } as const];

  test.each([
    ["npm test", "npm test"],
    ["npm test", "  npm test\n"],
    ["npm test", "npm  test"],
    ["npm test", "npm 'test'"],
    ["npm test", "npm test 2>&1"],
    ["npm test 2>&1 | tail -40", "npm test 2>&1 | tail -40"],
    ["cd src && npm test", "cd src && npm test"],
    ["eslint src/*.ts", "eslint src/*.ts"],
    ["git commit -m 'a b'", 'git commit -m "a b"'],
  ])("%j allows %j", (granted, command) => expect(tryCommand(command, exact(granted))).toBe(true));

  test.each([
    ["npm test", "npm test x"],
    ["npm test", "npm"],
    ["npm test", "npm test --script-shell=./x"],
    ["npm test", "npm test; id"],
    ["npm test", "cd src && npm test"],
    ["npm test", "X=1 npm test"],
    ["npm test", "npm test > x"],
    ["npm test", "npm test &"],
    ["npm test", "NPM TEST"],
    ["node", "cat a.txt | node"],
    ["node", "echo 1 | node"],
    ["eslint src/*.ts", "eslint 'src/*.ts'"],
    ["ls", "ls; ls; rm a.txt"],
    // never offered, and allowed by nothing
    ["rm -rf src", "rm -rf src"],
    ["echo $HOME", "echo $HOME"],
    ["cat leak", "cat leak"],
    ["eval x", "eval x"],
    ["X=1 ls", "X=1 ls"],
    ["cat /etc/passwd", "cat /etc/passwd"],
    ["rm *", "rm *"],
  ])("%j does not allow %j", (granted, command) => {
    expect(tryCommand(command, [...exact(granted), ...grantFor("cat", "echo")])).toBe(false);
  });

  test("not in another folder", () => {
    expect(tryCommand("npm test", exact("npm test"), "src")).toBe(false);
    expect(tryCommand("npm test", exact("npm test"), ".")).toBe(true);
  });

  test("not for another agent's tool", () => {
    expect(isAllowed(exact("npm test"), { type: "command", tool: "Bash", command: "npm test" }, { directory })).toBe(false);
  });
});

describe("[X17] what “always” offers", () => {
  test.each([
    ["git log -3", { type: "read-only-command", program: "git log" }],
    ["git log --output=x", { type: "command", command: "git log --output=x" }],
    ["npm test", { type: "command", command: "npm test" }],
    [" npm test -- -t 'a b' \n", { type: "command", command: "npm test -- -t 'a b'" }],
    ["git tag one", { type: "command", command: "git tag one" }],
    ["node -e 1", { type: "command", command: "node -e 1" }],
    ["npm test | tee x", { type: "command", command: "npm test | tee x" }],
    ["./a.sh", { type: "command", command: "./a.sh" }],
    ["/usr/bin/git log", undefined],
    ["cat /etc/passwd", undefined],
    ["tar -C.. -xf x", undefined],
    ["tar --directory=/ -xf x", undefined],
    ["cat leak", undefined],
    ["npm test > x", undefined],
    ["npm test $X", undefined],
    ["rm *", undefined],
    ["rm -rf src", undefined],
    ["git push --force", undefined],
    ["git push \u200b", undefined],
    [`echo ${"x".repeat(3000)}; id`, undefined],
  ])("%j: %j", (command, expected) => {
    const grant = toGrant({ type: "command", tool: "bash", command }, directory);
    expect(grant).toEqual(expected && { ...expected, tool: "bash" });
    if (grant !== undefined) expect(isAllowed([grant], { type: "command", tool: "bash", command }, { directory })).toBe(true);
  });
});

describe("[X17] pages are allowed by origin", () => {
  const fetch = (url: string) => ({ type: "fetch", tool: "web_fetch", url }) as const;

  test("scheme, host and port", () => {
    const grant = toGrant(fetch("https://Example.com/a?b"));
    expect(grant).toEqual({ type: "origin", tool: "web_fetch", origin: "https://example.com" });
    const isFetched = (url: string) => grant !== undefined && isAllowed([grant], fetch(url), { directory });
    expect(["https://example.com/", "https://EXAMPLE.com:443/x"].map(isFetched)).toEqual([true, true]);
    const others = [
      "http://example.com/",
      "https://example.com:8443/",
      "https://www.example.com/",
      "https://example.com.evil.example/",
      "https://evil.example/?https://example.com/",
      "https://example.com@evil.example/",
      "https://me:x@example.com/",
      "https://еxample.com/",
      "example.com",
    ];
    expect(others.map(isFetched)).toEqual(others.map(() => false));
    expect(["file:///etc/passwd", "https://a:b@example.com", "x"].map((url) => toGrant(fetch(url)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("[X17] edits are allowed inside the worktree", () => {
  test("not outside of it, through links, or of protected files", () => {
    const grants = [{ type: "edits", tool: "Edit" } as const];
    const isEdited = (...paths: string[]) => isAllowed(grants, { type: "edit", tool: "Edit", paths }, { directory });
    expect(isEdited("a.txt", `${directory}/src/new.ts`)).toBe(true);
    for (const path of [
      token,
      "../token",
      "leak",
      "away/new",
      "nowhere",
      ".git",
      ".git/hooks/x",
      ".claude/settings.json",
      ".mcp.json",
      "",
    ]) {
      expect(isEdited("a.txt", path), path).toBe(false);
    }
    expect(isEdited()).toBe(false);
  });
});
