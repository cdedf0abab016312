import type { Draft } from '#shared/contracts/documents.ts'

export type Difference = { field: string; mine: string; theirs: string }

const labels: Record<string, string> = {
  slug: 'Address',
  intro: 'Opening',
  closing: 'Closing',
  tags: 'Tags',
  aiLevel: 'AI level',
  focusAreas: 'Focus areas',
  franchiseTypes: 'Franchise types',
  useCase: 'Use case',
  goodFor: 'Good for',
  watchOut: 'Watch out',
  testedOn: 'Tested on',
  fileVersion: 'File version',
  body: 'Text',
  level: 'AI level',
  when: 'When to use it',
  url: 'Web address',
}

const labelOf = (key: string) => labels[key] ?? key.charAt(0).toUpperCase() + key.slice(1)

/** Field by field what two texts differ in; items are told apart by their id, so that a moved one is not a new one. */
export function differencesOf(mine: Draft, theirs: Draft): Difference[] {
  const [left, right] = [flatten(mine), flatten(theirs)]
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) => {
    const [a, b] = [left.get(key), right.get(key)]
    if (a?.text === b?.text) return []
    return [{ field: a?.field ?? b?.field ?? key, mine: a?.text ?? '', theirs: b?.text ?? '' }]
  })
}

function flatten(document: Draft): Map<string, { field: string; text: string }> {
  const flat = new Map<string, { field: string; text: string }>()
  for (const [key, value] of Object.entries(document) as [string, unknown][]) {
    if (!isItems(value)) {
      flat.set(key, { field: labelOf(key), text: textOf(value) })
      continue
    }
    flat.set(key, { field: `Order of the ${key}`, text: value.map(({ id }) => id).join('\n') })
    for (const [index, { id, ...item }] of value.entries()) {
      const name = `${key === 'prompts' ? 'Prompt' : 'Section'} ${index + 1}`
      for (const [part, content] of Object.entries(item)) {
        flat.set(`${key} ${id} ${part}`, { field: `${name}: ${labelOf(part)}`, text: textOf(content) })
      }
    }
  }
  return flat
}

type Item = { id: string } & Record<string, unknown>

const isItems = (value: unknown): value is Item[] =>
  Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'object' && entry !== null)

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join('\n') : String(value ?? ''))
