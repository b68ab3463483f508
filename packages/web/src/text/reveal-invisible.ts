export { revealInvisible } from "@skein/engine";
