import type { Draft, PromptPackDraft } from '#shared/contracts/publishing/documents.ts'
import { optionLabel, type Questions } from './preferences.ts'

/** A value for an empty field, taken from what is written elsewhere in the draft. Nothing is made up. */
export type Suggestion = {
  /** The field: "sections.2.summary". */
  path: string
  /** Shown to the editor, who decides: “Two counts, one sheet.” */
  text: string
  value: string | readonly string[]
}

/** Values for the empty fields that publishing needs. Fields that only the editor can know have none. */
export function suggestValues(publication: Questions, draft: Draft): Suggestion[] {
  if ('prompts' in draft) return ofPack(publication, draft)
  return []
}

function ofPack(publication: Questions, { prompts }: PromptPackDraft): Suggestion[] {
  const level = onlyOne(prompts.map((prompt) => prompt.level))
  return prompts.flatMap((prompt, index) =>
    prompt.level === null ? ofLevel(publication, `prompts.${index}.level`, level) : [],
  )
}

/** The level shared by all items that have one; null if they differ or none has one. */
const onlyOne = (levels: readonly (string | null)[]): string | null => {
  const known = [...new Set(levels.filter((level) => level !== null))]
  return known.length === 1 ? (known[0] ?? null) : null
}

const ofLevel = (publication: Questions, path: string, level: string | null): Suggestion[] =>
  level ? [{ path, text: optionLabel(publication, 'aiLevel', level), value: level }] : []

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
