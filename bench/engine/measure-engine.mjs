import { measureAgentLines } from "./agent-lines.mjs";
import { measureNextRequest, measureRequestBuilding, measureShareOfSending } from "./request-building.mjs";

/** All figures are ratios of two things that are measured in the same run. */
export async function measureEngine() {
  return [
    ...(await measureRequestBuilding()),
    ...(await measureNextRequest()),
    ...(await measureShareOfSending()),
    ...(await measureAgentLines()),
  ];
}
