/** What a reader did with an item that leaves a copy with them. */
export const itemUses = ['copied', 'downloaded'] as const
export type ItemUse = (typeof itemUses)[number]

/** Returns true if an item is past its last day, `today` being the day in the publication's zone. */
export const isOutdated = (validUntil: string | null, today: string): boolean =>
  validUntil !== null && validUntil < today
