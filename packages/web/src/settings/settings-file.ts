import type { UpdateAttemptDefaults } from "@skein/contracts";

/** What can be taken to another browser or machine. Keys are not in it: the server never tells them. */
export interface SettingsFile {
  preferences: Record<string, unknown>;
  locale: string;
  /** As they stand in the file: the server says what it does not know of them. */
  defaults: UpdateAttemptDefaults;
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
  const { preferences, locale, defaults } = content;
  return isRecord(preferences) && isRecord(defaults) && typeof locale === "string" ? { preferences, locale, defaults } : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
