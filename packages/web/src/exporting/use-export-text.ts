import { type ExportText, exportEn } from "../i18n/en-export.ts";
import { useLocale } from "../i18n/locale.tsx";
import type { Locale } from "../i18n/locales.ts";
import { exportZhCN } from "../i18n/zh-cn-export.ts";

const texts: Record<Locale, ExportText> = { en: exportEn, "zh-CN": exportZhCN };

/** Loaded with the dialog for exports; part of exported pages. */
export const useExportText = (): ExportText => texts[useLocale().locale];
