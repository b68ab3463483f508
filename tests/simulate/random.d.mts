/** Random numbers that depend on the seed alone. */
export interface Random {
  /** From 0 to below 1. */
  number(): number;
  /** Whole numbers, both ends included. */
  between(least: number, most: number): number;
  chance(part: number): boolean;
  pick<T>(values: readonly T[]): T;
  shuffle<T>(values: readonly T[]): T[];
}
export function createRandom(seed: number): Random;
