/**
 * One conversation in both forms: Skein's messages, and the UI messages of the package `ai`. Every turn is a question, an
 * answer that calls two tools, their results, and a closing text: four messages in ours, two in theirs, so figures are per
 * message of the request, which both build.
 */
export function createConversation(messageCount) {
  const conversation = { entities: [], uiMessages: [] };
  for (let turn = 0; turn < messageCount / 4; turn++) appendTurn(conversation, turn);
  return conversation;
}

/** Conversations of `messageCount` of the same messages each. */
export function splitConversation({ entities, uiMessages }, messageCount) {
  return Array.from({ length: entities.length / messageCount }, (_, i) => ({
    entities: entities.slice(i * messageCount, (i + 1) * messageCount),
    uiMessages: uiMessages.slice((i * messageCount) / 2, ((i + 1) * messageCount) / 2),
  }));
}

export function appendTurn({ entities, uiMessages }, turn) {
  const question = `Question ${turn}: why does the test of module ${turn % 97} fail, and which file must change?`;
  const calls = [0, 1].map((which) => ({
    id: `call_${turn}_${which}`,
    name: which === 0 ? "read" : "grep",
    input: which === 0 ? { path: `src/module-${turn % 97}.ts` } : { pattern: "export function", path: "src" },
    output: `line 1 of result ${turn}.${which}\nline 2\nline 3: ${"x".repeat(120)}`,
  }));
  const before = `I will look at module ${turn % 97} first.`;
  const after = `The cause is in line ${turn % 400}: the value is read before it is written.`;
  const add = (body) => entities.push({ id: `msg_${entities.length}`, body });
  add({ role: "user", content: question });
  add({
    role: "assistant",
    content: before,
    toolCalls: calls.map(({ id, name, input }) => ({ id, type: "function", function: { name, arguments: JSON.stringify(input) } })),
  });
  add({
    role: "tool",
    content: calls.map(({ id, name, input, output }) => ({ type: "tool-result", toolCallId: id, toolName: name, input, result: output })),
  });
  add({ role: "assistant", content: after });
  uiMessages.push({ id: `user-${turn}`, role: "user", parts: [{ type: "text", text: question }] });
  uiMessages.push({
    id: `assistant-${turn}`,
    role: "assistant",
    parts: [
      { type: "step-start" },
      { type: "text", text: before },
      ...calls.map(({ id, name, input, output }) => ({ type: `tool-${name}`, toolCallId: id, state: "output-available", input, output })),
      { type: "step-start" },
      { type: "text", text: after },
    ],
  });
}
