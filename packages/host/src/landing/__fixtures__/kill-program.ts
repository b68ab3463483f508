// Runs one operation in a process of its own, which a test kills.
import { attemptIdSchema } from "@skein/contracts";
import { readOwnGitDir } from "../../git/own-git-dir.ts";
import { readHooks } from "../read-hooks.ts";
import { commitFiles } from "../commit-files.ts";
import { landBranch } from "../land-branch.ts";
import { abortUpdate, finishUpdate } from "../resolve-conflict.ts";
import { restoreSafetyRef } from "../restore-files.ts";
import { updateBranch } from "../update-branch.ts";

const [name, ownDir = "", repositoryDir = "", baseCommit = "", extra = ""] = process.argv.slice(2);
const [folder, repository] = [await readOwnGitDir(ownDir), await readOwnGitDir(repositoryDir)];
if (folder === undefined || repository === undefined) throw new Error("no such folder");
const place = { folder, attemptId: attemptIdSchema.parse("att_1"), baseCommit, now: Date.now() };
switch (name) {
  case "commit":
    await commitFiles({ ...place, message: "Later" });
    break;
  case "commit with hooks": {
    const environment = { PATH: process.env.PATH ?? "" };
    await commitFiles({ ...place, message: "Later", hooks: { hash: (await readHooks(folder)).hash ?? "", environment } });
    break;
  }
  case "rebase":
  case "merge":
    await updateBranch({ ...place, baseBranch: "main", method: name });
    break;
  case "finish":
    await finishUpdate(place);
    break;
  case "abort":
    await abortUpdate(place);
    break;
  case "land":
    await landBranch({ ...place, repository, baseBranch: "main", method: "squash", message: "Landed" });
    break;
  case "restore":
    await restoreSafetyRef({ ...place, ref: extra });
    break;
  default:
    throw new Error(`no operation ${name}`);
}
process.exit(0);
