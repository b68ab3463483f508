import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

describe("modules that a runner loads", () => {
  // each execution has its own runner: the whole engine with its schemas would take most of its memory and start time
  it.each(["claude-code/drive-claude-code.ts", "codex/drive-codex.ts", "command/drive-command.ts"])("%s loads no schemas", (driver) => {
    const hook = `import { registerHooks } from "node:module";
      registerHooks({ load(url, context, next) { console.log(url); return next(url, context); } });
      await import(${JSON.stringify(pathToFileURL(join(root, "packages/agents/src", driver)).href)});`;
    const loaded = execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", hook], {
      encoding: "utf8",
    });
    expect(loaded).toContain(driver);
    expect(loaded.split("\n").filter((url) => /\/(zod|engine\/src\/index|contracts\/src\/index)\b/.test(url))).toEqual([]);
  });
});
