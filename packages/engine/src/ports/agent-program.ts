/** How the programs of an agent are started on the host of an attempt, if that is not the server's own machine. */
export interface AgentProgram {
  /** Program and first arguments. */
  command: readonly [string, ...string[]];
  /** Everything that the agent gets: what all agents of the host get, and its own variables. */
  environment: Readonly<Record<string, string>>;
  /** For the native agent: the program that prints its next request. */
  previewCommand?: readonly [string, ...string[]];
  /** For the native agent: where it writes outputs that are too long to show. */
  outputs?: string;
}
