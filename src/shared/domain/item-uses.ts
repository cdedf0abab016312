import type { ContentKind } from './content-items.ts'

/** What a reader did with an item that leaves a copy with them. */
export const itemUses = ['copied', 'downloaded'] as const
export type ItemUse = (typeof itemUses)[number]

/** Whether an item is past its last day, `today` being the day in the publication's zone. */
export const isOutdated = (validUntil: string | null, today: string): boolean =>
  validUntil !== null && validUntil < today

/** How a reader got a copy of an item, for "Changed since you …". */
export const keepVerbs: Record<'saved' | ItemUse, string> = {
  saved: 'saved it',
  copied: 'copied it',
  downloaded: 'downloaded it',
}

/** Kinds with versions that readers see. An issue changes with its sections. */
export const versionedKinds = ['section', 'prompt', 'guide', 'tool'] as const satisfies readonly ContentKind[]
