import type { BuildRequest } from "./turn.ts";
export const buildRequest: BuildRequest = ({ systemPrompts, messages }) => [
  ...(systemPrompts.length ? [{ role: "system" as const, content: systemPrompts.join("\n") }] : []),
  ...messages.map((m) => m.body),
];
