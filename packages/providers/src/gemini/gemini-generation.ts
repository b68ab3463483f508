/** What a model's name says it can do. A name without a number (`gemini-flash-latest`) is of the newest. */
export interface GeminiGeneration {
  thinks: boolean;
  /** How much it thinks is said as a level; before, as a number of tokens. */
  hasLevels: boolean;
  /** Refuses a step whose first call has no thought signature (G4), and reads images inside function responses. */
  signsCalls: boolean;
}

export function geminiGeneration(model: string): GeminiGeneration {
  if (!/gemini/.test(model)) return { thinks: false, hasLevels: false, signsCalls: false };
  const version = Number.parseFloat(/gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? "99");
  return { thinks: version >= 2.5, hasLevels: version >= 3, signsCalls: version >= 3 };
}
