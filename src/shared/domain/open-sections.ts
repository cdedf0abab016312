/** Who reads: someone with access (by a plan, a seat or a complimentary grant), or anyone else. */
export type Viewer = { hasAccess: boolean }

export const visitor: Viewer = { hasAccess: false }

type Section = { openToEveryone: boolean }

/** Pages, feeds, emails, share images and the landing page ask here before they show the text of a section. */
export const canReadSection = (viewer: Viewer, { openToEveryone }: Section): boolean =>
  viewer.hasAccess || openToEveryone

/**
 * True if `viewer` may read everything of a drop. Without that, only the opening and the sections that
 * `canReadSection` allows are shown, because what it's worth and the closing refer to all sections.
 */
export const canReadWhole = (viewer: Viewer, sections: readonly Section[]): boolean =>
  sections.every((section) => canReadSection(viewer, section))

/** Parts that can be open in new drops by default, besides the opening. */
export const newDropChoices = {
  opening: 'The opening',
  'first-section': 'The opening and the first section with a heading',
  whole: 'The whole drop, also without headings',
} as const
export type NewDropChoice = keyof typeof newDropChoices

/** Returns true if the text of a drop begins open to everyone. It is all of the drop, not its first section. */
export const isTextOpenByDefault = (choice: NewDropChoice): boolean => choice === 'whole'

/** Returns true if a section that is added after `count` others begins open to everyone. */
export const isOpenByDefault = (choice: NewDropChoice, count: number): boolean =>
  choice === 'whole' || (choice === 'first-section' && count === 0)
