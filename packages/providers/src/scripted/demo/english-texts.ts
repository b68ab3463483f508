import { demoFile, missingFile } from "./demo-file.ts";
import type { DemoTexts } from "./demo-texts.ts";
import { fence } from "./fence.ts";

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

const ran = (command: string, end: { exitCode: number } | undefined) =>
  end === undefined ? `\`${command}\` did not run.` : `**Ran** \`${command}\` (exit code ${end.exitCode}).`;

export const englishTexts: DemoTexts = {
  reasoning: ({ quote }) =>
    `The user wrote “${quote}”. I am a script, so I cannot reason about that the way a language model would. What I can do is use every tool once, on the real files, and report what really came back. A list of steps first, then look before touching anything.`,
  intro: ({ quote }) =>
    `Hello! You wrote:\n\n> ${quote}\n\nI should be honest right away: I am **Skein's built-in demo**, a script rather than a language model, so I will not solve this for you. What I will do is real, though. Every card below is a tool that actually runs in your working copy, with its real output: I look around, read a file, search, write one small file (\`${demoFile}\`), change it so that you see a diff, and run two commands, one of which fails on purpose.\n\nHere is my plan:`,
  todo: ["Look around the repository", "Read and search", `Write and edit ${demoFile}`, "Run two commands"],
  look: "Two looks at once: the top folder, and every file below it. They do not change anything, so they run in parallel.",
  read: ({ fileRead, fileCount }) => `${plural(fileCount, "file", "files")} found. \`${fileRead}\` is a good place to start reading.`,
  nothingToRead: "There is no text file to read here yet, so I go straight on.",
  search: "Are there any notes that people left for later?",
  write: `Enough reading. I tick off what is done and write a small file of my own, \`${demoFile}\`.`,
  fileContent: ({ quote, fileRead, topCount, fileCount }) =>
    [
      "# Skein demo",
      "",
      "Written by Skein's built-in demo. Delete it whenever you like.",
      "",
      `- Your message: ${quote}`,
      `- Entries in the top folder: ${topCount}`,
      `- Files found: ${fileCount}`,
      `- File read: ${fileRead ?? "none, there was nothing to read"}`,
    ].join("\n"),
  draftLine: "Status: draft",
  finalLine: "Status: edited by the demo",
  edit: "One line of it should change. This is what an edit looks like:",
  status: "What does git make of that?",
  failing: "And a command that fails, so that you have seen one:",
  finish: "That was the last step.",
  answer: (facts) =>
    [
      "## What I did",
      "",
      `- **Looked around**: ${plural(facts.topCount, "entry", "entries")} in the top folder, ${plural(facts.fileCount, "file", "files")} in all.`,
      facts.fileRead === undefined
        ? "- **Read** nothing: there was no text file yet."
        : facts.readOk
          ? `- **Read** \`${facts.fileRead}\` (${plural(facts.lineCount, "line", "lines")} shown${facts.firstLine === undefined ? "" : `, beginning “${facts.firstLine}”`}).`
          : `- Tried to **read** \`${facts.fileRead}\`; that did not work.`,
      facts.grepOk
        ? `- **Searched** for \`TODO\` and \`FIXME\`: ${plural(facts.matchCount, "match", "matches")}.`
        : "- Tried to **search** for `TODO` and `FIXME`; that did not work.",
      facts.wrote
        ? `- **Wrote** \`${demoFile}\`${facts.edited ? " and **edited** one line of it" : "; the edit after that did not work"}.`
        : `- Did **not** write \`${demoFile}\`: the tool failed or you said no.`,
      `- ${ran("git status --short", facts.status)}`,
      `- ${ran(`ls ${missingFile}`, facts.failing)}${facts.failing === undefined ? "" : " It was meant to fail."}`,
      ...(facts.status === undefined ? [] : ["", "## What git says", "", fence(facts.status.output || "(nothing)")]),
      "",
      "## Where to go from here",
      "",
      "Open the diff of this attempt to see the file, answer me and I continue from here, or start another attempt with a real agent.",
    ].join("\n"),
  setback: (toolName, reason) => `The \`${toolName}\` tool did not do it (${reason}). Noted; on with the rest.\n\n`,
  noTools: ({ quote }) =>
    `I am Skein's built-in demo, and this time I was given no tools, so there is nothing that I can show. You wrote: “${quote}”.`,
  again: {
    intro: ({ quote }) =>
      `Welcome back. You wrote:\n\n> ${quote}\n\nI am still the demo, but I do remember this conversation: it was sent along with your message. So this round is a short one. First, is my file still there?`,
    add: "It is. Your message goes into it as a note:",
    note: ({ quote }) => `- And then you wrote: ${quote}`,
    missing: `It is gone, or I may not read it, so there is nothing to add to.`,
    check: "And the state of the working copy:",
    answer: (facts) =>
      [
        "## Second round",
        "",
        facts.edited ? `I added your message to \`${demoFile}\`.` : `I did not change \`${demoFile}\`.`,
        ran("git status --short && git diff --stat", facts.status),
        ...(facts.status === undefined ? [] : ["", fence(facts.status.output || "(nothing)")]),
        "",
        "Every message continues the same conversation in the same working copy. Real agents do that, too, with rather more to say.",
      ].join("\n"),
  },
};
