import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { createToolFixture, type ToolFixture } from "../tools/tool-fixture.ts";
import { expandCommand } from "./expand-command.ts";
import { listCommands } from "./list-commands.ts";
import { parseFrontmatter } from "./parse-frontmatter.ts";

let fixture: ToolFixture;
afterEach(() => fixture?.remove());

describe("instructions of folders", () => {
  test("[N3] come with the first file of the folder that is touched, outermost first, once", async () => {
    fixture = await createToolFixture({
      "AGENTS.md": "root rules\n",
      "a/AGENTS.md": "rules of a\n",
      "a/b/CLAUDE.md": "rules of b\n",
      "a/b/x.txt": "x\n",
      "a/y.txt": "y\n",
      "c.txt": "c\n",
    });
    expect((await fixture.call("read", { path: "c.txt" })).output).toBe("     1\tc");
    expect((await fixture.call("read", { path: "a/b/x.txt" })).output).toBe(
      "     1\tx\n\n[Instructions for files below a/, from a/AGENTS.md:]\nrules of a\n\n[Instructions for files below a/b/, from a/b/CLAUDE.md:]\nrules of b",
    );
    expect((await fixture.call("edit", { path: "a/y.txt", oldText: "y", newText: "z" })).output).toBe(
      "Replaced one occurrence in a/y.txt.",
    );
  });

  test("[N3] come with a write, too, bounded, and not with the file itself", async () => {
    fixture = await createToolFixture({ "a/AGENTS.md": `${"long ".repeat(10_000)}\n`, "b/AGENTS.md": "rules of b\n" });
    const { output } = await fixture.call("write", { path: "a/new.txt", content: "" });
    expect(output).toContain("from a/AGENTS.md");
    expect(output.length).toBeLessThan(17_000);
    expect((await fixture.call("read", { path: "b/AGENTS.md" })).output).toBe("     1\trules of b");
  });
});

describe("commands", () => {
  const files = {
    ".skein/commands/fix.md": "---\ndescription: Fixes an issue\n---\nFix issue $1 with care: $ARGUMENTS ($2)\n",
    ".claude/commands/fix.md": "not this one\n",
    ".claude/commands/plain.md": "# Do it\nNow.\n",
    ".claude/commands/front/deep.md": "deep $ARGUMENTS",
    ".claude/commands/no text.md": "x",
    ".claude/commands/empty.md": "",
  };

  test("[X8] are listed with what they say of themselves; our own folder goes first", async () => {
    fixture = await createToolFixture(files);
    await symlink("/etc/hostname", join(fixture.root, ".claude/commands/out.md"));
    expect(await listCommands(fixture.root)).toEqual([
      { name: "fix", description: "Fixes an issue", path: ".skein/commands/fix.md" },
      { name: "front:deep", description: "deep $ARGUMENTS", path: ".claude/commands/front/deep.md" },
      { name: "plain", description: "Do it", path: ".claude/commands/plain.md" },
    ]);
  });

  test.each([
    ['/fix 42 "two words"', 'Fix issue 42 with care: 42 "two words" (two words)'],
    ["/fix", "Fix issue  with care:  ()"],
    ["/fix $& $1", "Fix issue $& with care: $& $1 ($1)"],
    ["/plain now\nplease", "# Do it\nNow.\n\nArguments: now\nplease"],
    ["/plain", "# Do it\nNow."],
    ["/front:deep x", "deep x"],
    ["/unknown x", "/unknown x"],
    ["/../../etc/passwd", "/../../etc/passwd"],
    ["/usr/bin is a folder", "/usr/bin is a folder"],
    ["fix /fix", "fix /fix"],
    ["", ""],
  ])("[N1] %j becomes %j", async (message, expanded) => {
    fixture = await createToolFixture(files);
    expect(await expandCommand(fixture.workspace, message)).toBe(expanded);
  });

  test("a folder without commands has none", async () => {
    fixture = await createToolFixture();
    await writeFile(join(fixture.root, ".claude"), "a file");
    expect(await listCommands(fixture.root)).toEqual([]);
  });
});

test.each([
  ["no frontmatter", {}, "no frontmatter"],
  ["---\na: 1\nb: 'x: y'\nc: [1]\n---\nbody", { a: "1", b: "x: y" }, "body"],
  ["---\r\na: x\r\n---\r\nbody", { a: "x" }, "body"],
  ["---\n: : :\n  - {\n---\nbody", {}, "body"],
  ["---\na: &x 1\nb: *x\n---\nbody", {}, "body"],
  ["---\nnever ends", {}, "---\nnever ends"],
])("frontmatter of %j", async (text, fields, body) => {
  const parsed = await parseFrontmatter(text);
  expect([Object.fromEntries(parsed.fields), parsed.body]).toEqual([fields, body]);
});
