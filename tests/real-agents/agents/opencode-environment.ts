import { writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Variables for opencode in a test's home. Without the catalogue of all providers' models and the plugins for their logins, none of which a
 * test uses, a start takes three quarters of the processor time.
 */
export function opencodeEnvironment(home: string): Record<string, string> {
  const models = join(home, "no-models.json");
  writeFileSync(models, "{}");
  return {
    OPENCODE_MODELS_PATH: models,
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  };
}
