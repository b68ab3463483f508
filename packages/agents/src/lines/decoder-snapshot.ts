import type { JsonValue } from "@skein/contracts";

/** A decoder's state, with the decoder and version that wrote it. */
export interface DecoderState {
  decoder: string;
  version: number;
}

/** Throws if another decoder or version wrote the snapshot: its log must then be read from the start. */
export function readDecoderSnapshot<State extends DecoderState>(snapshot: JsonValue, expected: DecoderState): State {
  const state = snapshot as unknown as Partial<State> | null;
  if (state === null || typeof state !== "object" || state.decoder !== expected.decoder || state.version !== expected.version) {
    throw new Error(
      `This snapshot was not written by version ${expected.version} of the ${expected.decoder} decoder: read the log from its start.`,
    );
  }
  return state as State;
}
