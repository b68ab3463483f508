/** Converts to snake_case: two protocols use `commandExecution` and `command_execution` for the same thing. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
