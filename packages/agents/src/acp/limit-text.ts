import { findProviderLimit } from "../failures/find-provider-limit.ts";

const longestText = 500;

/** How such texts begin; an answer of a model that explains one begins otherwise. */
const beginning =
  /^\W{0,3}(?:API Error|Error|You[’']ve (?:hit|reached)|You have|Claude|5-hour|Weekly limit|exceeded retry|Rate limit|Resource|Quota|type"|error")/i;

/** The text so far; null once it is too long to be such a report. */
export function addToAnswer(answer: string | null, text: string): string | null {
  return answer === null || answer.length + text.length > longestText ? null : answer + text;
}

/** Whether a whole answer is nothing but the report of a limit: some agents end such a prompt like every other. */
export function isLimitText(answer: string, at: number): boolean {
  return beginning.test(answer) && findProviderLimit(answer, { now: at }) !== undefined;
}
