const secrets = /^(SKEIN_(?!EXECUTION_ID$).*|ANTHROPIC_.*|OPENAI_.*|GEMINI_.*|GOOGLE_.*)$|(_API_KEY|_AUTH_TOKEN)$/;

/**
 * The environment of commands: the program's own, without its internal variables. Keys must not reach a shell. The execution's id must:
 * by it the runner finds processes that still run after this program was killed.
 */
export function toToolEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !secrets.test(name)) kept[name] = value;
  }
  return kept;
}
