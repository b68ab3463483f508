export { growsLinearly } from "./grows-linearly.ts";
export { buildHostileTexts, type HostileText } from "./hostile-texts.ts";
