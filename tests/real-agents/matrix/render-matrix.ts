import type { Cell } from "./matrix.ts";
import { stories, storyNames, testedAgents } from "./stories.ts";

/** docs/agents.md: for users, generated from test results only. */
export function renderMatrix(cells: readonly Cell[]): string {
  const notes: string[] = [];
  const builtIn = renderTable(cells, testedAgents.builtIn, notes);
  const added = renderTable(cells, testedAgents.added, notes);
  const footnotes = notes.map((note, index) => `${index + 1}. ${note}`).join("\n");
  return `# Agents

<!-- Written by npm run test:agents -- --write. Do not edit: change the tests in tests/real-agents instead. -->

What works with which agent. Every cell is the result of a test that runs the real program, at the version in the table, through a
real Skein server against a scripted model. Other versions may behave differently.

- ✓ works.
- ◐ works in part, as far as the program or its protocol offers it; see the note.
- – the program, or its protocol, does not offer it; see the note.

For the rows about errors, the agents' own retries were limited where their settings allow it. With default settings some of them retry
for minutes before the error is shown; until then Skein shows that the model does not respond.

## Agents that Skein finds on PATH, and its own

${builtIn}

## Agents that you add

Any agent that speaks the Agent Client Protocol can be added as \`acp:<name>\`. These were tested:

${added}

\`\`\`json
{
  "agents": {
    "acp:qwen": { "command": ["qwen", "--acp", "--approval-mode", "default"] },
    "acp:claude-agent-acp": { "command": ["claude-agent-acp"] },
    "acp:codex-acp": { "command": ["codex-acp"] },
    "acp:pi": { "command": ["pi-acp"] },
    "acp:copilot": { "command": ["copilot", "--acp"] }
  }
}
\`\`\`

codex-acp asks as configured in Codex's own settings: set \`approval_policy = "untrusted"\` in its \`config.toml\`.

## Notes

${footnotes}
`;
}

function renderTable(cells: readonly Cell[], agents: readonly string[], notes: string[]): string {
  const of = (agent: string) => cells.filter((cell) => cell.agent === agent);
  const rows = storyNames.map((story) => [stories[story], ...agents.map((agent) => toMark(of(agent), story, notes))]);
  const heading = ["", ...agents.map((agent) => of(agent)[0]?.name ?? agent)];
  const ids = ["id", ...agents.map((agent) => `\`${agent}\``)];
  const versions = ["Tested version", ...agents.map((agent) => toVersions(of(agent)[0]))];
  const line = (row: readonly string[]) => `| ${row.join(" | ")} |`;
  return [line(heading), `|---|${agents.map(() => ":-:").join("|")}|`, ...[ids, versions, ...rows].map(line)].join("\n");
}

function toVersions(cell: Cell | undefined): string {
  const [own, ...others] = Object.entries(cell?.versions ?? {});
  if (own === undefined) return "part of Skein";
  return [own[1], ...others.map(([name, version]) => `${name.replace(/^.*\//, "")} ${version}`)].join(", ");
}

function toMark(cells: readonly Cell[], story: string, notes: string[]): string {
  const cell = cells.find((one) => one.story === story);
  if (cell === undefined || cell.result === "fails") return "✗";
  if (cell.note === undefined) return "✓";
  if (!notes.includes(cell.note)) notes.push(cell.note);
  return `${cell.result === "no" ? "–" : "◐"} <sup>${notes.indexOf(cell.note) + 1}</sup>`;
}
