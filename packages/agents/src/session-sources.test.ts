import { createHash } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { sessionSources } from "./session-sources.ts";
import { createHome, formatTurns, openSource, readSession, writeOpencode } from "./sessions/read-session.fixture.ts";

const find = (id: string) => sessionSources.find((source) => source.id === id);

async function readOnly(id: string, home: string) {
  await using source = openSource(find(id), home);
  const { sessions, problems } = await source.find();
  const [session] = sessions;
  if (session === undefined || sessions.length > 1) throw new Error(`${sessions.length} sessions of ${id}`);
  const read = await readSession(source, session);
  return { session, problems: [...problems, ...read.problems], read, lines: formatTurns(read) };
}

it("[I1] a session of Claude Code 2.1 becomes the cards of its live output, with subagents, images and compaction", async () => {
  const { session, problems, lines } = await readOnly("claude-code", createHome(["claude-code", ".claude"]));
  expect(problems).toEqual([]);
  expect(session).toMatchObject({ title: "Look at a.txt and change it", directory: "/workspace", agentSessionId: session.id });
  expect(lines).toMatchInlineSnapshot(`
    [
      "> Look at a.txt and change it",
      "thinking "I should look first."",
      "text "I will look around."",
      "[completed] Bash: Ran cat a.txt → "one\\ntwo\\nthree" {exit 0}",
      "[failed] Bash: Ran exit 3 → "Exit code 3" {exit 3}",
      "[completed] Read: Read /workspace/a.txt → "1\\tone\\n2\\ttwo\\n3\\tthree\\n4\\t" {content /workspace/a.txt from 1 "one\\ntwo\\nthree\\n"}",
      "[completed] Read: Read /workspace/dot.png {image "{\\"mediaType\\":\\"image/png\\",\\"data\\":\\"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42…/workspace/dot.png\\"}"}",
      "[completed] Edit: Updated /workspace/a.txt → "The file /workspace/a.txt has been updated successfully. (file state is current in your co…eed to Read it back)" {diff updated /workspace/a.txt @1,1 " one" "-two" "+TWO" " three"}",
      "[completed] Write: Created /workspace/b.txt → "File created successfully at: /workspace/b.txt (file state is current in your context — no need to Read it back)" {diff created /workspace/b.txt @0,1 "+new"}",
      "[completed] Agent: Ran subagent: Count lines → "[Subagent hand-back] The text below is the final report of a subagent this session delegat…ion_ms: 1709</usage>" {subagent "{\\"description\\":\\"Count lines\\",\\"agentType\\":\\"general-purpose\\",\\"prompt\\":\\"Count the lines of a.…\\":\\"It has 3 lines.\\"}"}",
      "  text "Counting."",
      "  [completed] Bash: Ran wc -l a.txt → "3 a.txt" {exit 0}",
      "  text "It has 3 lines."",
      "text "Done: a.txt has three lines."",
      "= success {"inputTokens":65436,"outputTokens":273,"cacheReadTokens":400,"cacheWriteTokens":0,"costUsd":0.265684}",
      "> What did I ask? See the image. +1 image",
      "text "You asked about a.txt."",
      "notice "Claude Code summarized the conversation (12705 → 2697 tokens)."",
      "= success {"inputTokens":12696,"outputTokens":9,"cacheReadTokens":0,"cacheWriteTokens":0,"costUsd":0.05096400000000001}",
      "> /compact",
      "= success {"costUsd":0.11524399999999996}",
      "> Still there?",
      "error "API Error: 400 messages: roles must alternate between \\"user\\" and \\"assistant\\", but found multiple \\"user\\" roles in a row"",
      "= failed API Error: 400 messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row {"costUsd":0}",
      "> This fails",
      "error "API Error: 400 messages: roles must alternate between \\"user\\" and \\"assistant\\", but found multiple \\"user\\" roles in a row"",
      "= failed API Error: 400 messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row {"costUsd":0}",
    ]
  `);
});

it("[I1] a session of Codex becomes the cards of its live output", async () => {
  const { session, problems, lines } = await readOnly("codex", createHome(["codex", ".codex"]));
  expect(problems).toEqual([]);
  expect(session).toMatchObject({ title: "Look at a.txt and change it", directory: "/workspace" });
  expect(lines).toMatchInlineSnapshot(`
    [
      "> Look at a.txt and change it",
      "thinking "I should look first."",
      "text "I will look around."",
      "[completed] command_execution: Ran cat a.txt → "one\\ntwo\\nthree\\n" {exit 0}",
      "[failed] command_execution: Ran exit 3 {exit 3}",
      "[completed] file_change: Updated 2 files: /workspace/a.txt, /workspace/b.txt {diff updated /workspace/a.txt @1,1 " one" "-two" "+TWO" " three"; created /workspace/b.txt @0,1 "+new"}",
      "[failed] update_plan: Could not update todo list → "unsupported call: update_plan"",
      "text "Done: a.txt has three lines."",
      "= success {"inputTokens":30376,"outputTokens":168,"reasoningTokens":16,"cacheReadTokens":400,"cacheWriteTokens":0}",
      "> This fails",
      "text "You asked about a.txt."",
      "= success {"inputTokens":10173,"outputTokens":9,"reasoningTokens":0,"cacheReadTokens":0,"cacheWriteTokens":0}",
    ]
  `);
});

it("[I1] a session of Gemini CLI is read without what a resume has removed from it", async () => {
  const { session, problems, lines } = await readOnly("gemini", createHome(["gemini", ".gemini"]));
  expect(problems).toEqual([]);
  expect(session).toMatchObject({ title: "Look at a.txt and change it", directory: "/workspace" });
  expect(lines).toMatchInlineSnapshot(`
    [
      "> Look at a.txt and change it",
      "thinking "I should lookfirst."",
      "text "I will look around."",
      "[completed] run_shell_command: Ran cat a.txt → "one\\ntwo\\nthree" {exit 0}",
      "[failed] run_shell_command: Ran exit 3 {exit 3}",
      "[completed] read_file: Read a.txt → "one\\ntwo\\nthree\\n" {content a.txt from 1 "one\\ntwo\\nthree\\n"}",
      "[completed] replace: Updated a.txt → "Successfully modified file: /workspace/a.txt (1 replacements). Here is the updated code:\\none\\nTWO\\nthree\\n" {diff updated /workspace/a.txt @1,1 " one" "-two" "+TWO" " three"}",
      "[completed] write_file: Created b.txt → "Successfully created and wrote to new file: /workspace/b.txt. Here is the updated code:\\nnew\\n" {diff created /workspace/b.txt @0,1 "+new"}",
      "text "Done: a.txt has three lines."",
      "= success {"inputTokens":25611,"outputTokens":172,"reasoningTokens":6,"cacheReadTokens":400}",
      "> What did I ask?",
      "= undefined {}",
    ]
  `);
});

it("[I1, Q20] opencode's database and the files of its earlier versions give the same conversation, and are not changed", async () => {
  const inDatabase = createHome();
  const file = writeOpencode(inDatabase, "database");
  const hash = () => createHash("sha256").update(readFileSync(file)).digest("hex");
  const before = hash();
  const { session, problems, lines } = await readOnly("opencode", inDatabase);
  expect(hash()).toBe(before);
  expect(problems).toEqual([]);
  expect(session).toMatchObject({ title: "A title", directory: "/workspace" });
  expect(lines).toMatchInlineSnapshot(`
    [
      "> "Look at a.txt and change it"",
      "text "I will look around."",
      "[completed] bash: Ran cat a.txt → "one\\ntwo\\nthree\\n" {exit 0}",
      "[failed] bash: Ran exit 3 {exit 3}",
      "[completed] read: Read /workspace/a.txt → "<path>/workspace/a.txt</path>\\n<type>file</type>\\n<content>\\n1: one\\n2: two\\n3: three\\n\\n(End of … 3 lines)\\n</content>" {content /workspace/a.txt from 1 "one\\ntwo\\nthree"}",
      "[completed] edit: Updated /workspace/a.txt → "Edit applied successfully." {diff updated /workspace/a.txt @1,1 " one" "-two" "+TWO" " three"}",
      "[completed] write: Created /workspace/b.txt → "Wrote file successfully." {diff created /workspace/b.txt @0,1 "+new"}",
      "[completed] task: Ran subagent: Count lines → "<task id=\\"ses_e112dd2c6fferbnbLwHGtuaklH\\" state=\\"completed\\">\\n<task_result>\\nIt has 3 lines.\\n</task_result>\\n</task>" {subagent "{\\"description\\":\\"Count lines\\",\\"agentType\\":\\"general\\",\\"prompt\\":\\"Count the lines of a.txt\\",\\"re…k_result>\\\\n</task>\\"}"}",
      "  text "Counting."",
      "  [completed] bash: Ran wc -l a.txt → "3 a.txt\\n" {exit 0}",
      "  text "It has 3 lines."",
      "[completed] todowrite: Updated todo list (1/1 done) → "[\\n  {\\n    \\"content\\": \\"Look\\",\\n    \\"status\\": \\"completed\\",\\n    \\"priority\\": \\"high\\"\\n  }\\n]" {todo completed:Look}",
      "text "Done: a.txt has three lines."",
      "= success {"inputTokens":52921,"outputTokens":273,"reasoningTokens":0,"cacheReadTokens":400,"cacheWriteTokens":0}",
      "> "What did I ask?" +1 image",
      "text "You asked about a.txt."",
      "= success {"inputTokens":8426,"outputTokens":9,"reasoningTokens":0,"cacheReadTokens":0,"cacheWriteTokens":0}",
    ]
  `);
  const inFiles = createHome();
  writeOpencode(inFiles, "files");
  expect((await readOnly("opencode", inFiles)).lines).toEqual(lines);
});

it("[Q20] a session that has grown is read from its last turn on; one that was rewritten, from its beginning", async () => {
  const home = createHome(["claude-code", ".claude"]);
  await using source = openSource(find("claude-code"), home);
  const [session] = (await source.find()).sessions;
  if (session === undefined) throw new Error("no session");
  const whole = await readSession(source, session);
  const last = whole.turns.at(-1)?.turn;
  const answer = { type: "assistant", timestamp: "2026-11-18T14:00:00Z", message: { id: "m", content: [{ type: "text", text: "More" }] } };
  appendFileSync(session.files[0] ?? "", `${JSON.stringify(answer)}\n`);
  const grown = await readSession(source, session, { position: last?.position ?? 0, mark: last?.mark ?? "" });
  expect(grown.turns.map(({ turn }) => turn.text)).toEqual(["This fails"]);
  expect(grown.turns[0]?.conversation.map(({ content }) => content).at(-1)).toBe("More");
  expect(grown.restarts).toBe(0);
  const moved = await readSession(source, session, { position: (last?.position ?? 0) - 10, mark: last?.mark ?? "" });
  expect(moved.restarts).toBe(1);
  expect(moved.turns).toHaveLength(whole.turns.length);
});
