import { type ImportText, importEn } from "../i18n/en-import.ts";
import { createTexts } from "../i18n/page-texts.ts";
import { importZhCN } from "../i18n/zh-cn-import.ts";

export const useImportText = createTexts<ImportText>({ en: importEn, "zh-CN": importZhCN });
