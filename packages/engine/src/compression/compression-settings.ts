export interface CompressionSettings {
  /** Compress when a request has more messages than this. Unset: only its size counts. */
  maxMessages?: number;
  /** Compress when a request takes more than this part of the model's window. */
  maxRatio: number;
  /** Turns at the end that stay as they are where they fit; the last one always stays. */
  keepTurns: number;
}

export const defaultCompressionSettings: CompressionSettings = { maxRatio: 0.8, keepTurns: 2 };
