import type { UpdateAttemptDefaults, UpdateGeneralSettings } from "@skein/contracts";
import { isJsonObject } from "@skein/contracts/is-json-object";

/** What can be exported to another browser or machine. Without keys: the server never sends them. */
export interface SettingsFile {
  preferences: Record<string, unknown>;
  locale: string;
  /** As they are in the file: the server rejects what it does not know. */
  defaults: UpdateAttemptDefaults;
  /** Left out in files of older versions. */
  general?: UpdateGeneralSettings;
}

export function formatSettingsFile(settings: SettingsFile): string {
  return `${JSON.stringify({ skein: "settings", version: 1, ...settings }, null, 2)}\n`;
}

/** Null for a file that does not contain Skein settings. */
export function parseSettingsFile(text: string): SettingsFile | null {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isJsonObject(content) || content.skein !== "settings" || content.version !== 1) return null;
  const { preferences, locale, defaults, general } = content;
  if (!isJsonObject(preferences) || !isJsonObject(defaults) || typeof locale !== "string") return null;
  return { preferences, locale, defaults, ...(isJsonObject(general) ? { general } : {}) };
}
