import type { AiLevel, FocusArea, franchiseTypes, goals } from './preferences.ts'

/** Facts that decide the order for a reader; without preferences, empty lists. */
export type Reader = {
  focusAreas: FocusArea[]
  aiLevel: AiLevel | null
  goals: (typeof goals)[number][]
  franchiseType: (typeof franchiseTypes)[number] | null
  /** In a follow-up, the positions of the sections that the reader is asked about, in this order. */
  sections?: number[] | undefined
}

export const unknownReader: Reader = { focusAreas: [], aiLevel: null, goals: [], franchiseType: null }
