import { type Publication, publicationDefaults } from './publication-defaults.ts'

/**
 * The publication's name, texts and plans, as the publisher set them (decision 47). A process serves one publication. Read
 * a value where it's used instead of keeping it in a constant, since values change while the server runs.
 */
export const publication: Readonly<Publication> = { ...publicationDefaults }

let revision = 0

/** Changes whenever a value does. */
export const publicationRevision = (): number => revision

/** For the server whenever it has read the settings, and for its renderer. */
export function setPublication(values: Publication): void {
  if (JSON.stringify(values) === JSON.stringify(publication)) return
  Object.assign(publication, values)
  revision += 1
}

/** Renders with other values, for a preview. `render` must be synchronous, because the values belong to the process. */
export function withPublication<T>(values: Publication, render: () => T): T {
  const before = { ...publication }
  Object.assign(publication, values)
  try {
    return render()
  } finally {
    Object.assign(publication, before)
  }
}
