/** The issue published before and after one in a list that stands newest first. */
export function findNeighbors<T extends { slug: string }>(newestFirst: readonly T[], slug: string) {
  const index = newestFirst.findIndex((issue) => issue.slug === slug)
  if (index === -1) return { older: undefined, newer: undefined }
  return { older: newestFirst[index + 1], newer: newestFirst[index - 1] }
}
