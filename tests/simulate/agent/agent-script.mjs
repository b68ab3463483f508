import { createRandom } from "../random.mjs";

const words = "the agent reads a file changes two lines runs all tests and reports what it has found in this part of the code".split(" ");

/**
 * The lines that an agent prints for a run, about `lines` of them: texts, streamed or whole, thinking, and tools, alone or in parallel, with
 * short and long outputs. Yields functions, because a token carries the time at which its line is made. `part` is the number of the token that
 * the line completes; a text that is streamed has it in its last piece.
 */
export function* createScript({ run, seed, lines, directory }) {
  const random = createRandom(seed);
  let part = 0;
  let count = 0;
  const message = (id, content) => ({ type: "assistant", message: { id, type: "message", role: "assistant", model: "scripted", content } });
  const sentence = (length) => Array.from({ length }, () => random.pick(words)).join(" ");
  const token = (number, text) => `«${run}:${number}:${Date.now()}» ${text} «/${run}:${number}»`;

  function* one(line, extra = {}) {
    count++;
    yield { line, ...extra };
  }

  function* whole(type) {
    const number = part++;
    const text = sentence(random.between(5, 60));
    const block = () =>
      type === "text" ? { type, text: token(number, text) } : { type, thinking: token(number, text), signature: "c2ln" };
    yield* one(() => message(`msg_${run}_${number}`, [block()]), { part: number });
  }

  function* streamed() {
    const number = part++;
    const id = `msg_${run}_${number}`;
    const pieces = Array.from({ length: random.between(3, 10) }, () => `${sentence(random.between(2, 8))} `);
    const event = (value) => ({ type: "stream_event", event: value, api_message_id: id });
    let text = "";
    const delta = (added) => {
      text += added;
      return event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: added } });
    };
    yield* one(() => event({ type: "message_start", message: { id, type: "message", role: "assistant", model: "scripted", content: [] } }));
    yield* one(() => event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }));
    yield* one(() => delta(`«${run}:${number}:${Date.now()}» `));
    for (const piece of pieces) yield* one(() => delta(piece));
    yield* one(() => delta(`«/${run}:${number}»`), { part: number });
    yield* one(() => message(id, [{ type: "text", text }]));
    yield* one(() => event({ type: "content_block_stop", index: 0 }));
    yield* one(() => event({ type: "message_stop" }));
  }

  /** Several calls, and their results in another order. */
  function* tools(amount) {
    const calls = Array.from({ length: amount }, () => ({ number: part++, tool: random.pick(["Bash", "Bash", "Read", "Edit", "Grep"]) }));
    for (const call of calls) {
      const input = (text) => inputOf(call.tool, text, directory);
      const use = () => ({
        type: "tool_use",
        id: `toolu_${run}_${call.number}`,
        name: call.tool,
        input: input(token(call.number, "call")),
      });
      yield* one(() => message(`msg_${run}_${call.number}`, [use()]), { part: call.number });
    }
    for (const call of random.shuffle(calls)) {
      const number = part++;
      const length = random.chance(0.03) ? random.between(1000, 4000) : random.between(3, 120);
      const content = () => ({
        type: "tool_result",
        tool_use_id: `toolu_${run}_${call.number}`,
        content: token(number, sentence(length)),
        ...(random.chance(0.05) ? { is_error: true } : {}),
      });
      const edit = call.tool === "Edit" ? `${run} ${number}\n` : undefined;
      yield* one(() => ({ type: "user", message: { role: "user", content: [content()] } }), { part: number, edit });
    }
  }

  while (count < lines) {
    const kind = random.number();
    if (kind < 0.15) yield* streamed();
    else if (kind < 0.35) yield* whole("text");
    else if (kind < 0.4) yield* whole("thinking");
    else yield* tools(random.chance(0.25) ? random.between(2, 5) : 1);
  }
}

function inputOf(tool, text, directory) {
  if (tool === "Read") return { file_path: `${directory}/README.md`, note: text };
  if (tool === "Grep") return { pattern: text, path: directory };
  if (tool === "Edit") return { file_path: `${directory}/work.txt`, old_string: text, new_string: `${text}\n` };
  return { command: `echo '${text}'`, description: "Prints it" };
}
