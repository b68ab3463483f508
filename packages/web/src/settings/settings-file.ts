import type { UpdateAttemptDefaults, UpdateGeneralSettings } from "@skein/contracts";

/** What can be taken to another browser or machine. Keys are not in it: the server never tells them. */
export interface SettingsFile {
  preferences: Record<string, unknown>;
  locale: string;
  /** As they stand in the file: the server says what it does not know of them. */
  defaults: UpdateAttemptDefaults;
  /** Left out in files of older versions. */
  general?: UpdateGeneralSettings;
}

export function formatSettingsFile(settings: SettingsFile): string {
  return `${JSON.stringify({ skein: "settings", version: 1, ...settings }, null, 2)}\n`;
}

/** Null for a file that is none of ours. */
export function parseSettingsFile(text: string): SettingsFile | null {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(content) || content.skein !== "settings" || content.version !== 1) return null;
  const { preferences, locale, defaults, general } = content;
  if (!isRecord(preferences) || !isRecord(defaults) || typeof locale !== "string") return null;
  return { preferences, locale, defaults, ...(isRecord(general) ? { general } : {}) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
