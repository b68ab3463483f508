import { expect, it } from "vitest";
import { removeTerminalAnswers } from "./terminal-answers.ts";

it("[L9] answers of a terminal are removed, keys are kept", () => {
  const answers = [
    "\x1b[?1;2c",
    "\x1b[>0;276;0c",
    "\x1b[12;40R",
    "\x1b[0n",
    "\x1b[?2026;2$y",
    "\x1b]11;rgb:ff/ff/ff\x07",
    "\x1b]10;rgb:0/0/0\x1b\\",
    "\x1bP1$r0m\x1b\\",
  ];
  expect(removeTerminalAnswers(`ec${answers.join("")}ho\r`)).toBe("echo\r");
  const keys = "\x03\x1b[A\x1b[1;5C\x1bOP\x1b[200~pasted\x1b[201~\x7f\t\x1b";
  expect(removeTerminalAnswers(keys)).toBe(keys);
});
