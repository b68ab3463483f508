import { measureAgentLines } from "./agent-lines.mjs";
import { measureOneMoreTurn, measureRequestBuilding } from "./request-building.mjs";

/** All figures are ratios of two things that are measured side by side. */
export async function measureEngine() {
  return [...(await measureRequestBuilding()), ...(await measureOneMoreTurn()), ...(await measureAgentLines())];
}
