import { type ReviewText, reviewEn } from "../i18n/en-review.ts";
import { createTexts } from "../i18n/page-texts.ts";
import { reviewZhCN } from "../i18n/zh-cn-review.ts";

/** Loaded with the changes. */
export const useReviewText = createTexts<ReviewText>({ en: reviewEn, "zh-CN": reviewZhCN });
