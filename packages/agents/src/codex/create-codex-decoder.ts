import type { JsonValue } from "@skein/contracts";
import type { AgentDecoder } from "@skein/engine";
import { type DecoderState, readDecoderSnapshot } from "../lines/decoder-snapshot.ts";
import type { DecoderOptions } from "../lines/json-line-decoder.ts";
import { createCodexAppServerDecoder } from "./create-codex-app-server-decoder.ts";
import { createCodexExecDecoder } from "./create-codex-exec-decoder.ts";

const kind = { decoder: "codex", version: 1 } as const;

type State = DecoderState & { appServer: JsonValue; exec: JsonValue };

/** Both formats: a log begins with the app server's, and continues with that of `codex exec` if there is no app server. */
export function createCodexDecoder({ executionId, snapshot }: DecoderOptions): AgentDecoder {
  const state = snapshot === undefined ? undefined : readDecoderSnapshot<State>(snapshot, kind);
  const appServer = createCodexAppServerDecoder({ executionId, ...(state === undefined ? {} : { snapshot: state.appServer }) });
  const exec = createCodexExecDecoder({ executionId, ...(state === undefined ? {} : { snapshot: state.exec }) });
  return {
    // `exec` begins every line with its type; messages of the app server have none at the top level.
    decode: (line) => (line.text.startsWith('{"type":') ? exec : appServer).decode(line),
    setUsageBefore: exec.setUsageBefore,
    snapshot: () => ({ ...kind, appServer: appServer.snapshot(), exec: exec.snapshot() }),
  };
}
