import type { Prompt } from '#shared/contracts/library/library.ts'
import { dataLabelTexts, franchiseTopicLabels } from '#shared/domain/content-labels.ts'
import { showPlaceholders } from '#shared/domain/placeholders.ts'
import type { Vertical } from '#shared/domain/verticals.ts'

export type PromptFilter = {
  text: string
  /** The key of an AI level, or "all". */
  level: string
  /** Trade of the worked example. */
  trade: Vertical | 'all'
}

export const noFilter: PromptFilter = { text: '', level: 'all', trade: 'all' }

export const isFiltering = ({ text, level, trade }: PromptFilter) =>
  text.trim() !== '' || level !== 'all' || trade !== 'all'

/** Every word must occur in what the reader sees of a prompt; the example isn't searched. */
export function filterPrompts<T extends Prompt>(prompts: readonly T[], { text, level, trade }: PromptFilter): T[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return prompts.filter((prompt) => {
    if (level !== 'all' && prompt.level !== level) return false
    if (trade !== 'all' && prompt.example?.vertical !== trade) return false
    const haystack = searchableText(prompt)
    return words.every((word) => haystack.includes(word))
  })
}

const searchableText = ({ title, when, dataLabel, touches, checks, body }: Prompt) =>
  [
    title,
    when,
    dataLabel && dataLabelTexts[dataLabel],
    ...touches.map((topic) => franchiseTopicLabels[topic]),
    ...checks,
    showPlaceholders(body),
  ]
    .join(' ')
    .toLowerCase()
