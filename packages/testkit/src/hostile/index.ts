export { buildHostileTexts, type HostileText } from "./hostile-texts.ts";
