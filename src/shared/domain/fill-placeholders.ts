import type { Values } from './business-profile.ts'
import { type ExampleOf, type Placeholder, type PromptPart, splitPlaceholders } from './placeholders.ts'

/**
 * Where a value comes from, in this order: typed into the open prompt, the chosen location, the profile, or an earlier
 * answer to the same blank of the same prompt.
 */
export type ValueSource = 'typed' | 'location' | 'profile' | 'remembered'

/** Location and profile are keyed by variable; what was typed or remembered by `blankKey`. */
export type FillSources = Partial<Record<ValueSource, Values>>

export type FilledPart = PromptPart & {
  /** Null for running text. */
  key: string | null
  /** Null while nothing is known. */
  value: string | null
  /** The value or, without one, the text: without its last period if the prompt goes on with one. */
  shown: string
  source: ValueSource | null
}

/** The text between the brackets. Equal blanks of a prompt have one answer. */
export const blankKey = ({ written }: Pick<Placeholder, 'written'>): string =>
  written.slice(1, -1).trim().replaceAll(/\s+/g, ' ')

const order: readonly ValueSource[] = ['typed', 'location', 'profile', 'remembered']

/** Splits a prompt and fills in its blanks. Values are inserted literally and never searched for blanks. */
export const fillPlaceholders = (body: string, sources: FillSources, exampleOf?: ExampleOf): FilledPart[] =>
  splitPlaceholders(body, exampleOf).map((part, index, all) => {
    const { placeholder, text } = part
    if (!placeholder) return { ...part, key: null, value: null, shown: text, source: null }
    const found = findValue(placeholder, sources)
    const goesOnWithPeriod = /^\.(?!\.)/.test(all[index + 1]?.text ?? '')
    const shown = goesOnWithPeriod ? found.value?.replace(/(?<!\.)\.$/, '') : found.value
    return { ...part, key: blankKey(placeholder), ...found, shown: shown ?? text }
  })

/** The prompt as it is shown and copied. Blanks without a value stay in brackets. */
export const filledText = (parts: readonly FilledPart[]): string => parts.map(({ shown }) => shown).join('')

/** Each blank without a value once, in the order of the text. */
export function missingBlanks(parts: readonly FilledPart[]): FilledPart[] {
  const seen = new Set<string>()
  return parts.filter(({ key, value }) => {
    if (key === null || value !== null || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function findValue(
  placeholder: Placeholder,
  sources: FillSources,
): { value: string | null; source: ValueSource | null } {
  const { name, hint } = placeholder
  const key = blankKey(placeholder)
  for (const source of order) {
    const isOwn = source === 'typed' || source === 'remembered'
    // A hint asks for something particular, which the profile's general text would not answer.
    if (!isOwn && (name === null || hint !== null)) continue
    const value = textOf(sources[source], isOwn ? key : (name ?? ''))
    if (value !== null) return { value, source }
  }
  return { value: null, source: null }
}

/** The location's or profile's value for the variable of a blank that has a hint; offered, never filled in alone. */
export function suggestValue({ name, hint }: Placeholder, sources: FillSources): string | null {
  if (name === null || hint === null) return null
  return textOf(sources.location, name) ?? textOf(sources.profile, name)
}

function textOf(values: Values | undefined, key: string): string | null {
  const value = values && Object.hasOwn(values, key) ? values[key] : undefined
  return value?.trim() ? value : null
}
