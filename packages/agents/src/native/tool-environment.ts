const secrets = /^(SKEIN_(?!EXECUTION_ID$).*|ANTHROPIC_.*|OPENAI_.*|GEMINI_.*|GOOGLE_.*)$|(_API_KEY|_AUTH_TOKEN)$/;

/**
 * What commands get: the program's own environment without what only the program needs. Keys must not reach a shell.
 * The execution's id does: by it the runner finds what is still running when this program was killed.
 */
export function toToolEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !secrets.test(name)) kept[name] = value;
  }
  return kept;
}
