import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createToolFixture, type ToolFixture } from "../tools/tool-fixture.ts";
import { readSystemPrompts } from "./system-prompts.ts";

let fixture: ToolFixture;
afterEach(() => fixture.remove());

test("[N3] [R5] the project's instructions come first, AGENTS.md before CLAUDE.md, then our own", async () => {
  fixture = await createToolFixture({ "CLAUDE.md": "Use spaces.\n" });
  expect((await readSystemPrompts(fixture.workspace))[0]).toContain("Use spaces.");
  await writeFile(join(fixture.root, "AGENTS.md"), "Use tabs.\n");
  const prompts = await readSystemPrompts(fixture.workspace);
  expect(prompts).toHaveLength(2);
  expect(prompts[0]).toContain("Use tabs.");
  expect(prompts[1]).toMatch(/^You are Skein's coding agent/);
});

test("[N3] long instructions are bounded, and none are no prompt", async () => {
  fixture = await createToolFixture({ "AGENTS.md": "x".repeat(100_000) });
  expect((await readSystemPrompts(fixture.workspace))[0]?.length).toBeLessThan(33_000);
  await writeFile(join(fixture.root, "AGENTS.md"), " \n");
  expect(await readSystemPrompts(fixture.workspace)).toHaveLength(1);
});

test("[X10] instructions are not read through a symlink that leads out", async () => {
  fixture = await createToolFixture();
  await symlink("/etc/passwd", join(fixture.root, "AGENTS.md"));
  expect(await readSystemPrompts(fixture.workspace)).toHaveLength(1);
});
