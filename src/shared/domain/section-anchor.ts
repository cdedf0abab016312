/**
 * Anchor of a section in its issue: its id. Ids of sections from content/ begin with the slug, which links leave
 * out: "a-week-of-reviews--sort-by-hand" is "#sort-by-hand".
 */
export const sectionAnchor = (id: string): string => id.split('--').at(-1) ?? id

/** Anchor in emails of earlier versions: "1-sort-by-hand-before-you-write". */
export const earlierSectionAnchor = (heading: string, index: number): string =>
  `${index + 1}-${heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}`
