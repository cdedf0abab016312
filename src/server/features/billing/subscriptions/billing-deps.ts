import type { Deps } from '#server/feature.ts'

/** Server dependencies of the billing feature. */
export type BillingDeps = Pick<Deps, 'config' | 'database' | 'logger' | 'clock' | 'stripe' | 'enqueue' | 'secrets'>

/** Stripe timestamps are in seconds, JavaScript dates in milliseconds. */
export const fromSeconds = (seconds: number): Date => new Date(seconds * 1000)
export const toSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1000)

/** The id of an expandable Stripe field: a plain id, or the id of the expanded object. */
export const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null)
