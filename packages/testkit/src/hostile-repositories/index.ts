export { type HostileCase, hostileCases } from "./hostile-cases.ts";
export { commitAll, type HostileRepository, newHostileRepository, runGit, tryGit, writeFiles } from "./hostile-repository.ts";
