import type { Draft, IssueDraft, PromptPackDraft } from '#shared/contracts/publishing/documents.ts'
import { splitFirstSentence } from './first-sentence.ts'
import { openingParagraph } from './opening-paragraph.ts'
import { type AiLevel, aiLevelLabels, type FocusArea, focusAreas } from './preferences.ts'

/** A value for an empty field, taken from what is written elsewhere in the draft. Nothing is made up. */
export type Suggestion = {
  /** The field: "sections.2.summary". */
  path: string
  /** Shown to the editor, who decides: “Two counts, one sheet.” */
  text: string
  value: string | readonly string[]
}

const maxSentence = 180

/** The first sentence of a Markdown text; null if it begins with something else or is too long for a summary. */
function firstSentence(markdown: string): string | null {
  const paragraph = openingParagraph(markdown)
  if (!paragraph) return null
  const { first } = splitFirstSentence(paragraph)
  return first.length <= maxSentence ? first : null
}

/** Values for the empty fields that publishing needs. Fields that only the editor can know have none. */
export function suggestValues(draft: Draft): Suggestion[] {
  if ('sections' in draft) return ofIssue(draft)
  if ('prompts' in draft) return ofPack(draft)
  return []
}

function ofIssue({ preview, tags, intro, sections }: IssueDraft): Suggestion[] {
  const level = onlyOne(sections.map(({ aiLevel }) => aiLevel))
  const areas = focusAreas.filter((area) => sections.some((section) => section.focusAreas.includes(area)))
  return [
    ...(preview.trim() ? [] : ofSentence('preview', intro)),
    ...(tags.length === 0 ? ofAreas('tags', areas) : []),
    ...sections.flatMap((section, index) => [
      ...(section.summary.trim() ? [] : ofSentence(`sections.${index}.summary`, section.body)),
      ...(section.focusAreas.length === 0 ? ofAreas(`sections.${index}.focusAreas`, tags) : []),
      ...(section.aiLevel === null ? ofLevel(`sections.${index}.aiLevel`, level) : []),
    ]),
  ]
}

function ofPack({ prompts }: PromptPackDraft): Suggestion[] {
  const level = onlyOne(prompts.map((prompt) => prompt.level))
  return prompts.flatMap((prompt, index) => (prompt.level === null ? ofLevel(`prompts.${index}.level`, level) : []))
}

/** The level that all other items have. */
const onlyOne = (levels: readonly (AiLevel | null)[]): AiLevel | null => {
  const known = [...new Set(levels.filter((level) => level !== null))]
  return known.length === 1 ? (known[0] ?? null) : null
}

const ofSentence = (path: string, markdown: string): Suggestion[] => {
  const sentence = firstSentence(markdown)
  return sentence ? [{ path, text: `“${sentence}”`, value: sentence }] : []
}

const ofAreas = (path: string, areas: readonly FocusArea[]): Suggestion[] =>
  areas.length > 0 ? [{ path, text: areas.join(', '), value: areas }] : []

const ofLevel = (path: string, level: AiLevel | null): Suggestion[] =>
  level ? [{ path, text: aiLevelLabels[level].title, value: level }] : []

/** The draft with suggested values in their fields. */
export function applySuggestions<D extends Draft>(draft: D, suggestions: readonly Suggestion[]): D {
  const changed = structuredClone(draft)
  for (const { path, value } of suggestions) {
    const parts = path.split('.')
    const field = parts.pop() ?? ''
    let target: unknown = changed
    for (const part of parts) target = (target as Record<string, unknown> | undefined)?.[part]
    if (target && typeof target === 'object' && field in target) (target as Record<string, unknown>)[field] = value
  }
  return changed
}
