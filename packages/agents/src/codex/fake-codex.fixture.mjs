// A Codex that follows a script: `node fake-codex.fixture.mjs <script.json> app-server …`. What it receives is written to
// `<script.json>.received`. Requests are answered from `answers`, by method (false: never); a `reaction` to a method, or to "answer", is sent once.
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , scriptFile, command] = process.argv;
const { answers = {}, reactions = [], exec, hangs = false } = JSON.parse(readFileSync(scriptFile, "utf8"));
const receive = (line) => appendFileSync(`${scriptFile}.received`, `${line}\n`);
receive(JSON.stringify({ args: process.argv.slice(3) }));

const say = (message) => {
  if (typeof message === "object" && "exit" in message) process.exit(message.exit);
  else if (typeof message === "object" && "bytes" in message) process.stdout.write(Buffer.from(message.bytes));
  else process.stdout.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
};

if (command === "exec") {
  for await (const line of createInterface({ input: process.stdin })) receive(JSON.stringify({ prompt: line }));
  for (const message of exec ?? []) say(message);
  if (!hangs) process.exit(0);
  await new Promise(() => setInterval(() => {}, 1000));
}

const standard = {
  initialize: { result: {} },
  "account/read": { result: { account: null, requiresOpenaiAuth: false } },
  "thread/start": { result: { thread: { id: "thread-1" }, model: "gpt" } },
  "thread/resume": { result: { thread: { id: "thread-1" }, model: "gpt" } },
  "turn/start": { result: { turn: { id: "turn-1" } } },
  "turn/interrupt": { result: {} },
  "turn/steer": { result: { turnId: "turn-1" } },
};

for await (const line of createInterface({ input: process.stdin })) {
  receive(line);
  const { id, method = "answer" } = JSON.parse(line);
  const answer = answers[method] ?? standard[method];
  if (answer?.exit !== undefined) process.exit(answer.exit);
  if (answer) say({ id, ...answer });
  if (method === "turn/start") say({ method: "turn/started", params: { threadId: "thread-1", turn: { id: "turn-1" } } });
  const reaction = reactions.findIndex(({ on }) => on === method);
  if (reaction !== -1) for (const message of reactions.splice(reaction, 1)[0].say) say(message);
}
