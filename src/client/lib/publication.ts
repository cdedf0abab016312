import { type Publication, publicationDefaults } from '#shared/publication-defaults.ts'

/** The publication of this document. The build reads it from the document (scripts/build/html-head.ts). */
export const publication: Publication = { ...publicationDefaults }
