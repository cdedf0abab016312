/** Names of the specification's questions, as in `Preferences`. */
export type QuestionName = 'focusAreas' | 'aiLevel' | 'goals' | 'franchiseType'

export type QuestionOption = {
  /** The value that members, content and filters store. Never changes; the specification's options are their own keys. */
  key: string
  label: string
  /** A line below the label; empty for none. */
  description: string
  /** No longer offered. Members and content that have it keep it. */
  retired: boolean
}

/** One of the four questions that come with the product, in the publisher's words (decision 75). */
export type Question = {
  /** In lists, filters and exports, such as "Focus areas". */
  name: string
  /** The question as members read it. */
  wording: string
  /** Below the question; empty for none. */
  hint: string
  /** In the publisher's order, with retired ones. */
  options: readonly QuestionOption[]
  /** True if members aren't asked. What they answered before stays. Absent otherwise. */
  off?: boolean
}
