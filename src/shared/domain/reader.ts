/** Facts that decide the order for a reader, as keys of options; without preferences, empty lists. */
export type Reader = {
  focusAreas: string[]
  aiLevel: string | null
  goals: string[]
  franchiseType: string | null
  /** In a follow-up, the positions of the sections that the reader is asked about, in this order. */
  sections?: number[] | undefined
}

export const unknownReader: Reader = { focusAreas: [], aiLevel: null, goals: [], franchiseType: null }
