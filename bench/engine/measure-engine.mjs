import { measureAgentLines } from "./agent-lines.mjs";
import { measureNextRequest, measureRequestBuilding, measureShareOfSending } from "./request-building.mjs";

const defaults = { total: 100_000, rounds: 15, warmUps: 8, lineRounds: 900 };

/** All figures are ratios of two things that are measured in the same run. */
export async function measureEngine({ total, rounds, warmUps, lineRounds } = defaults) {
  return [
    ...(await measureRequestBuilding({ total, rounds, warmUps })),
    ...(await measureNextRequest({ total, rounds, warmUps })),
    ...(await measureShareOfSending({ total: total / 10, rounds, warmUps })),
    ...(await measureAgentLines({ rounds: lineRounds, warmUps: warmUps * 10 })),
  ];
}
