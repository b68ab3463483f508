export { hasInvisible, type RevealedRun, revealInvisible } from "@skein/engine";
