import { type ImportText, importEn } from "../i18n/en-import.ts";
import { useLocale } from "../i18n/locale.tsx";
import type { Locale } from "../i18n/locales.ts";
import { importZhCN } from "../i18n/zh-cn-import.ts";

const texts: Record<Locale, ImportText> = { en: importEn, "zh-CN": importZhCN };

export const useImportText = (): ImportText => texts[useLocale().locale];
