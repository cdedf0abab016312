import type { AiLevel } from '#shared/domain/preferences.ts'

export type PromptFilter = { level: AiLevel | 'all'; text: string }

export const noFilter: PromptFilter = { level: 'all', text: '' }

export const isFiltering = ({ level, text }: PromptFilter) => level !== 'all' || text.trim() !== ''

type Searchable = { title: string; when: string; body: string; level: AiLevel }

/** Every word must occur in the title, the description of when to use it, or the prompt. */
export function filterPrompts<T extends Searchable>(prompts: readonly T[], { level, text }: PromptFilter): T[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return prompts.filter((prompt) => {
    if (level !== 'all' && prompt.level !== level) return false
    const haystack = `${prompt.title} ${prompt.when} ${prompt.body}`.toLowerCase()
    return words.every((word) => haystack.includes(word))
  })
}
