export { growsLinearly } from "./grows-linearly.ts";
export { buildHostileTexts } from "./hostile-texts.ts";
