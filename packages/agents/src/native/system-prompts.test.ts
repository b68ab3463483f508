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
  expect(prompts.map((prompt) => prompt.split("\n", 2).join(" "))).toEqual([
    "Instructions of this project (AGENTS.md): Use tabs.",
    "Instructions of this project (CLAUDE.md): Use spaces.",
    expect.stringMatching(/^You are Skein's coding agent/),
  ]);
});

test("[R5] the user's own prompts come before everything else, word for word and in their order", async () => {
  fixture = await createToolFixture({ "AGENTS.md": "Use tabs.\n" });
  const [first, second, third] = await readSystemPrompts(fixture.workspace, ["Everywhere.", "Here."]);
  expect([first, second]).toEqual(["Everywhere.\n", "Here.\n"]);
  expect(third).toContain("Use tabs.");
});

test.each(["Use tabs.\n", "@AGENTS.md\n"])("[N3] a CLAUDE.md with the same content (%j) is sent once", async (text) => {
  fixture = await createToolFixture({ "AGENTS.md": "Use tabs.\n", "CLAUDE.md": text });
  expect(await readSystemPrompts(fixture.workspace)).toHaveLength(2);
});

test("[N1] the model gets its folder and system", async () => {
  fixture = await createToolFixture();
  expect((await readSystemPrompts(fixture.workspace)).at(-1)).toMatch(
    new RegExp(`The working folder is ${fixture.root}; the system is \\w+\\.$`),
  );
});

test("[N3] skills are listed by name and description, with the file to read", async () => {
  fixture = await createToolFixture({
    ".skein/skills/release/SKILL.md": "---\nname: release\ndescription: >\n  How to make\n  a release\n---\nSecret steps\n",
    ".claude/skills/release/SKILL.md": "---\nname: release\ndescription: another\n---\n",
    ".claude/skills/plain/SKILL.md": "no frontmatter\n",
    ".claude/skills/empty/README.md": "x\n",
  });
  const [skills] = await readSystemPrompts(fixture.workspace);
  expect(skills?.trim().split("\n").slice(1)).toEqual([
    "- release: How to make a release (.skein/skills/release/SKILL.md)",
    "- plain (.claude/skills/plain/SKILL.md)",
  ]);
});

test("[N3] long instructions are bounded, and empty ones add no prompt", async () => {
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
