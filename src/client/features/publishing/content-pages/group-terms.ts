import type { GlossaryTerm } from '#shared/contracts/publishing/content-pages.ts'

export type TermGroup = { letter: string; terms: GlossaryTerm[] }

/** Groups terms, given in alphabetical order, by their first letter. */
export function groupTerms(terms: readonly GlossaryTerm[]): TermGroup[] {
  const groups = new Map<string, GlossaryTerm[]>()
  for (const term of terms) {
    const letter = term.term.charAt(0).toUpperCase()
    groups.set(letter, [...(groups.get(letter) ?? []), term])
  }
  return [...groups].map(([letter, members]) => ({ letter, terms: members }))
}
