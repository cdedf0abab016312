import type { AiLevel } from '#shared/domain/preferences.ts'

export type PromptPart = { text: string; blank: boolean }

/** Splits a prompt into running text and its blanks, "[store name]"; joined again it is the prompt to the letter. */
export function splitBlanks(body: string): PromptPart[] {
  return body
    .split(/(\[[^[\]]+\])/)
    .filter((text) => text !== '')
    .map((text) => ({ text, blank: text.startsWith('[') && text.endsWith(']') && text.length > 2 }))
}

export const countBlanks = (body: string) => splitBlanks(body).filter((part) => part.blank).length

export type PromptFilter = { level: AiLevel | 'all'; text: string }

export const noFilter: PromptFilter = { level: 'all', text: '' }

type Searchable = { title: string; when: string; body: string; level: AiLevel }

/** Every word must occur somewhere in the title, the occasion or the prompt itself. */
export function filterPrompts<T extends Searchable>(prompts: readonly T[], { level, text }: PromptFilter): T[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return prompts.filter((prompt) => {
    if (level !== 'all' && prompt.level !== level) return false
    const haystack = `${prompt.title} ${prompt.when} ${prompt.body}`.toLowerCase()
    return words.every((word) => haystack.includes(word))
  })
}
