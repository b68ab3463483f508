export { type HostileCase, hostileCases } from "./hostile-cases.ts";
export { type HostileRepository, newHostileRepository, runGit, tryGit } from "./hostile-repository.ts";
