import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentOutput, ToolExecutionMessage } from "@skein/contracts";
import { createMessageProcessor, presentTool } from "@skein/engine";
import { createLocalHost } from "@skein/host";
import { testId } from "@skein/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createElsewhereWatch } from "./elsewhere-watch.ts";
import { openForeignFolders, withForeignFolders } from "./foreign-folders.ts";

let root: string;
let project: string;
let own: string;
let other: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "skein-elsewhere-")));
  project = join(root, "project");
  own = join(root, "home/worktrees/fix-2");
  other = join(root, "home/worktrees/fix-1");
  for (const folder of [project, own, other]) mkdirSync(folder, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const openWorkspaces = (home = join(root, "home")) =>
  createLocalHost({ home, searchPath: undefined, readRunnerSecret: () => "secret" }).workspaces;
const openFolders = (directory = own) => openForeignFolders(openWorkspaces(), { directory, projectPath: project });

describe("[E11] folders of other attempts", () => {
  it("are other attempts' and the project's, by what a path means", async () => {
    const { find } = await openFolders();
    const owners = (...paths: string[]) => paths.map((path) => find(path)?.owner);
    expect(owners(join(own, "a"), "a", own, "/etc/hosts", `${project}-2/a`, `${other}/../fix-2/a`)).toEqual(Array(6).fill(undefined));
    expect(owners(join(other, "a"), "../fix-1/a", other, `${own}-b/a`)).toEqual(Array(4).fill("another-attempt"));
    expect(owners(join(project, "a"), project, join(project, ".git/config"))).toEqual(Array(3).fill("checkout"));
    const inPlace = await openFolders(project);
    expect([inPlace.find(join(project, "a")), inPlace.find(join(other, "a"))?.owner]).toEqual([undefined, "another-attempt"]);
  });

  it("behind symbolic links, and where the data dir lies inside the project", async () => {
    const link = join(root, "link");
    symlinkSync(join(root, "home"), link);
    const linked = await openForeignFolders(openWorkspaces(link), { directory: join(link, "worktrees/fix-2"), projectPath: root });
    expect([join(own, "a"), join(link, "worktrees/fix-2/a")].map(linked.find)).toEqual([undefined, undefined]);
    expect([join(other, "a"), join(root, "a")].map((path) => linked.find(path)?.owner)).toEqual(["another-attempt", "checkout"]);
  });

  it("are found in commands", async () => {
    const { findNamed } = await openFolders();
    const named = (command: string) => findNamed(command).map(({ filePath }) => filePath);
    expect(named(`cd ${other} && sed -i s/a/b/ "${project}/x y" ../fix-1/b >${other}/c; ls ${own} /usr`)).toEqual([
      other,
      join(project, "x"),
      join(other, "b"),
      join(other, "c"),
    ]);
    expect(named(`--file=${other}/c`)).toEqual([join(other, "c")]);
  });
});

describe("[E11] an agent that changes files outside its folder", () => {
  type Output = Extract<AgentOutput, { type: "notice" }>;

  async function run(input: { toolName: string; input: object; isError?: boolean; work?(): void }) {
    const folders = await openFolders();
    const reported: Output[] = [];
    const watch = createElsewhereWatch({ workspaces: openWorkspaces(), folders, report: (notice) => reported.push(notice) });
    const executionId = testId("exe");
    const processor = createMessageProcessor({ executionId, present: withForeignFolders(presentTool, folders) });
    const apply = (output: AgentOutput): ToolExecutionMessage[] => {
      const { conversation } = processor.apply(output);
      watch.see(conversation);
      return conversation.filter((message) => message.messageType === "tool_execution");
    };
    const at = Date.now();
    const { toolName, isError = false } = input;
    apply({ type: "tool-use", messageId: testId("msg", 1), index: 0, toolUseId: "u", toolName, input: input.input as never, at });
    input.work?.();
    const result = { resultId: testId("msg", 2), toolUseId: "u", toolName, output: "", isError, at: Date.now() };
    const [card] = apply({ type: "tool-result", ...result });
    await watch.settled();
    return { card, reported };
  }

  it("by an edit: in its card and in the conversation, with the file", async () => {
    const edit = { toolName: "Edit", input: { file_path: join(other, "a.txt"), old_string: "a", new_string: "b" } };
    const { card, reported } = await run(edit);
    expect(card?.metadata.changedElsewhere).toEqual([{ filePath: join(other, "a.txt"), owner: "another-attempt" }]);
    expect(reported).toMatchObject([
      {
        code: "changed-elsewhere",
        text: { code: "changed-elsewhere", owner: "another-attempt", files: [join(other, "a.txt")], isCertain: true },
      },
    ]);
    expect((await run({ ...edit, isError: true })).reported).toEqual([]);
    const inside = await run({ toolName: "Write", input: { file_path: join(own, "a.txt"), content: "a" } });
    expect([inside.card?.metadata.changedElsewhere, inside.reported]).toEqual([undefined, []]);
    const read = await run({ toolName: "Read", input: { file_path: join(other, "a.txt") } });
    expect([read.card?.metadata.changedElsewhere, read.reported]).toEqual([undefined, []]);
  });

  it("by a command that names them: when something there has changed while it ran", async () => {
    mkdirSync(join(project, "src"));
    for (const name of ["old.txt", "src/old.txt"]) writeFileSync(join(project, name), "");
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const command = (text: string, work?: () => void) => run({ toolName: "Bash", input: { command: text }, ...(work && { work }) });
    expect((await command(`cat ${project}/old.txt; ls ${project}`)).reported).toEqual([]);
    const written = await command(`cd ${project} && echo x > src/new.txt`, () => writeFileSync(join(project, "src/new.txt"), "x"));
    const text = { code: "changed-elsewhere", owner: "checkout", files: [join(project, "src/new.txt")], isCertain: false };
    expect(written.reported).toMatchObject([{ text }]);
    // a command cannot hide a change behind an older time
    const back = await command(`touch -d 2020-01-01 ${project}/old.txt`, () => utimesSync(join(project, "old.txt"), 0, 0));
    expect(back.reported).toHaveLength(1);
    expect((await command("echo x > src/new.txt", () => writeFileSync(join(project, "src/new.txt"), "y"))).reported).toEqual([]);
  });
});
