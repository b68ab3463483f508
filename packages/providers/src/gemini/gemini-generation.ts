/** Capabilities derived from a model's name. A name without a version (`gemini-flash-latest`) counts as the newest. */
export interface GeminiGeneration {
  thinks: boolean;
  /** Thinking is requested as a level; earlier models take a number of tokens. */
  hasLevels: boolean;
  /** Rejects a step whose first call has no thought signature (G4), and accepts images inside function responses. */
  signsCalls: boolean;
}

export function geminiGeneration(model: string): GeminiGeneration {
  if (!/gemini/.test(model)) return { thinks: false, hasLevels: false, signsCalls: false };
  const version = Number.parseFloat(/gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? "99");
  return { thinks: version >= 2.5, hasLevels: version >= 3, signsCalls: version >= 3 };
}
