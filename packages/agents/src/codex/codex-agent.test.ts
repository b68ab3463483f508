import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codexKind } from "./codex-agent.ts";

/** What is wrong with a Codex whose home holds these files. */
function findProblem(files: Record<string, string>) {
  const CODEX_HOME = mkdtempSync(join(tmpdir(), "skein-codex-home-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(CODEX_HOME, name), text);
  return codexKind.program.findProblem?.({ CODEX_HOME });
}

describe("a login", () => {
  it("that is missing is reported with the command that fixes it", () => {
    const problem = { code: "agent-not-logged-in", agent: "Codex", login: { command: "codex login" } };
    expect(findProblem({})).toEqual(problem);
    expect(findProblem({ "config.toml": 'model = "gpt-5.5"\n# model_provider = "x"\n' })).toEqual(problem);
  });

  it.each([
    ["is there", { "auth.json": "{}" }],
    ["is not needed for another provider", { "config.toml": 'model_provider = "azure"\n' }],
    ["is kept by the system", { "config.toml": 'cli_auth_credentials_store = "keyring"\n' }],
  ])("that %s is no problem", (_, files) => {
    expect(findProblem(files)).toBeUndefined();
  });
});
