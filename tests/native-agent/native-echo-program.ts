import { runNativeProgram } from "@skein/agents/native-program";
import type { Model } from "@skein/engine";

const echo: Model = {
  id: "test/echo",
  contextWindow: 100_000,
  async *stream({ messages }) {
    yield { type: "text-delta", index: 0, text: JSON.stringify(messages) };
    yield { type: "end", stopReason: "end", usage: { costUsd: 0.5 } };
  },
};

await runNativeProgram({ createModel: () => echo });
