import type { CompressionSettings } from "@skein/contracts";

/** What the engine needs to know of the settings; who writes the summary is passed as a model. */
export type CompressionPolicy = Omit<CompressionSettings, "model">;

/** Used where the settings name nothing else. */
export const defaultCompressionSettings: CompressionSettings = {
  enabled: true,
  auto: true,
  triggerMessages: null,
  triggerRatio: 0.8,
  keepRecentTurns: 2,
  model: null,
};
