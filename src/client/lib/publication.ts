import { inOwnWords, ownWordsOf } from '#shared/domain/own-words.ts'
import { type Publication, publicationDefaults } from '#shared/publication-defaults.ts'

/** The publication of this document. The build reads it from the document (scripts/build/html-head.ts). */
export const publication: Publication = { ...publicationDefaults }

/** Tag of every text of ours that speaks of drops: ownWords`New drop` is "New recipe" for a publisher who has recipes. */
export const ownWords = ownWordsOf(publication)

/** The same for a text that is defined elsewhere, such as an answer of the server. */
export const inWords = (text: string): string => inOwnWords(publication, text)
