import { type VariableName, variables } from './variables.ts'

/** A blank of a prompt, which the reader fills in: `[store_name]`, or `[notes: what happened tonight]`. */
export type Placeholder = {
  /** The text in the prompt, with brackets. */
  written: string
  /** Null for blanks of earlier versions: `[store name]`. */
  name: VariableName | null
  hint: string | null
}

/** A stretch of a prompt. `at` counts characters from the start of the prompt. */
export type PromptPart = {
  /** What readers see and copy while it isn't filled in: `[what happened tonight]`, or `[fitness studio]` for a known trade. */
  text: string
  /** Null for running text. */
  placeholder: Placeholder | null
  at: number
}

/** An example shown in a blank instead of its label; null keeps the label. Pages that know no trade load no examples. */
export type ExampleOf = (name: VariableName) => string | null

const noExample: ExampleOf = () => null

const blank = /(\[(?!\s*\])[^[\]]*\])/

/** Splits a prompt into running text and its placeholders. */
export function splitPlaceholders(body: string, exampleOf: ExampleOf = noExample): PromptPart[] {
  let at = 0
  return body.split(blank).flatMap((written, index) => {
    const start = at
    at += written.length
    if (written === '') return []
    const placeholder = index % 2 === 1 ? parsePlaceholder(written) : null
    return [{ text: placeholder ? shownAs(placeholder, exampleOf) : written, placeholder, at: start }]
  })
}

/** Text of a prompt with its placeholders as readers see them. */
export const showPlaceholders = (body: string, exampleOf: ExampleOf = noExample): string =>
  splitPlaceholders(body, exampleOf)
    .map(({ text }) => text)
    .join('')

function parsePlaceholder(written: string): Placeholder {
  const [, name = '', hint = null] = /^\[\s*([a-z][a-z0-9_]*)\s*(?::(.*))?\]$/s.exec(written) ?? []
  return isVariableName(name) ? { written, name, hint: hint?.trim() || null } : { written, name: null, hint: null }
}

const isVariableName = (name: string): name is VariableName =>
  Object.hasOwn(variables, name) && name !== 'private_words'

const shownAs = ({ written, name, hint }: Placeholder, exampleOf: ExampleOf) =>
  name === null ? written : `[${hint ?? exampleOf(name) ?? variables[name].label}]`

/** Says what is wrong with a placeholder and what to write instead; null if its variable is known. */
export function problemOfPlaceholder({ written, name }: Placeholder): string | null {
  if (name !== null) return null
  const words = written.slice(1, -1).trim()
  const [before = '', after] = words.split(/:\s*/, 2)
  const guess = before.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
  const fix = isVariableName(guess) ? (after ? `${guess}: ${after}` : guess) : `details: ${after || words}`
  return `“${written}” isn’t a blank that readers can fill in. Write [${fix}]`
}
