/** Actions that leave a copy of an item with the reader. */
export const itemUses = ['copied', 'downloaded'] as const
export type ItemUse = (typeof itemUses)[number]

/** Returns true if an item is past its last day, `today` being the day in the publication's zone. */
export const isOutdated = (validUntil: string | null, today: string): boolean =>
  validUntil !== null && validUntil < today
