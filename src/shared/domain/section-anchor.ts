/**
 * Where a section stands on the page of its drop: "1-sort-by-hand-before-you-write". The written position keeps anchors
 * unique and the same whoever reads.
 */
export const sectionAnchor = (heading: string, index: number) =>
  `${index + 1}-${heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}`
