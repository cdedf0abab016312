/** Anchor of a section in its issue: "1-sort-by-hand-before-you-write". The position makes it unique. */
export const sectionAnchor = (heading: string, index: number) =>
  `${index + 1}-${heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}`
