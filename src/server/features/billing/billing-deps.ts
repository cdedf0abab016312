import type { Deps } from '#server/deps.ts'

/** What the billing feature takes of the server. */
export type BillingDeps = Pick<Deps, 'config' | 'database' | 'logger' | 'clock' | 'stripe' | 'enqueue' | 'secrets'>

/** Stripe counts in seconds, the rest of the server in milliseconds. */
export const fromSeconds = (seconds: number): Date => new Date(seconds * 1000)
export const toSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1000)

/** An id that the API gives alone, or inside the object when it was expanded. */
export const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null)
