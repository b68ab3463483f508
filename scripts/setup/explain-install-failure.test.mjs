import { expect, it } from "vitest";
import { explainInstallFailure } from "./explain-install-failure.mjs";

it.each([
  ["npm error code ENOTFOUND\nnpm error network request to https://registry…", "cannot be reached"],
  ["npm error code ENOSPC", "disk is full"],
  ["npm error code EACCES", "cannot be written"],
  ["npm error code E403", "refused access"],
  ["npm error code EUSAGE", "npm install"],
  ["npm error something new", "its own message is above"],
])("explains %j", (output, words) => {
  expect(explainInstallFailure(output)).toContain(words);
});
