import type { CompressionSettings } from "@skein/contracts";

/** The settings that the engine needs; the model that writes summaries is passed separately. */
export type CompressionPolicy = Omit<CompressionSettings, "model">;

/** Defaults. */
export const defaultCompressionSettings: CompressionSettings = {
  enabled: true,
  auto: true,
  triggerMessages: null,
  triggerRatio: 0.8,
  keepRecentTurns: 2,
  model: null,
};
