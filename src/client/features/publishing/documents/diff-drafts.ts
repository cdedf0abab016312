import { publication } from '#client/lib/publication.ts'
import type { Draft } from '#shared/contracts/publishing/documents.ts'
import { optionLabel, optionLabels } from '#shared/domain/preferences.ts'
import type { QuestionName } from '#shared/domain/question-terms.ts'
import { questionName } from '#shared/domain/questions.ts'
import { isItems } from './merge-drafts.ts'

export type FieldChange = {
  field: string
  mine: string
  theirs: string
  /** Who changed it since `base`; `both` if there is no base. */
  changedBy: 'me' | 'them' | 'both'
}

const labels: Record<string, string> = {
  slug: 'Address',
  worth: 'What it’s worth',
  intro: 'Opening',
  closing: 'Closing',
  pollQuestion: 'Poll',
  pollAnswers: 'Answers of the poll',
  editorNote: 'Editor’s note',
  tags: 'Tags',
  aiLevel: 'Experience with AI',
  focusAreas: 'Focus areas',
  franchiseTypes: 'Franchise types',
  useCase: 'Use case',
  goodFor: 'Good for',
  watchOut: 'Watch out',
  testedOn: 'Tested on',
  checkedOn: 'Facts checked on',
  validUntil: 'Valid until',
  changeNote: 'What changed',
  partOfLead: 'One of the numbered steps',
  openToEveryone: 'Open to everyone',
  examples: 'Examples by trade',
  example: 'Worked example',
  checks: 'What to check in the answer',
  dataLabel: 'Data',
  touches: 'Touches the franchise agreement',
  priceNote: 'Price note',
  skipIf: 'Skip it if',
  fileVersion: 'File version',
  gift: 'Gift of the free edition',
  body: 'Text',
  level: 'Experience with AI',
  when: 'When to use it',
  url: 'Web address',
}

/** Fields with options of a question. */
const questions: Record<string, QuestionName> = {
  tags: 'focusAreas',
  focusAreas: 'focusAreas',
  aiLevel: 'aiLevel',
  level: 'aiLevel',
  goals: 'goals',
  franchiseTypes: 'franchiseType',
}

function labelOf(key: string): string {
  const label = labels[key] ?? key.charAt(0).toUpperCase() + key.slice(1)
  const question = key === 'tags' ? undefined : questions[key]
  return question ? questionName(publication, question, label) : label
}

/** Keys of options as their labels. */
function inWords(field: string, value: unknown): unknown {
  const question = questions[field]
  if (!question) return value
  if (Array.isArray(value)) return optionLabels(publication, question, value)
  return typeof value === 'string' ? optionLabel(publication, question, value) : value
}

/** Differences between two drafts, field by field. Items are matched by id, so a moved item is not a new one. */
export function diffDrafts(mine: Draft, theirs: Draft, base?: Draft): FieldChange[] {
  const [left, right] = [flatten(mine), flatten(theirs)]
  const before = base && flatten(base)
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) => {
    const [a, b] = [left.get(key), right.get(key)]
    if (a?.value === b?.value) return []
    const was = before?.get(key)?.value
    const changedBy = !before ? 'both' : a?.value === was ? 'them' : b?.value === was ? 'me' : 'both'
    return [{ field: a?.field ?? b?.field ?? key, mine: a?.text ?? '', theirs: b?.text ?? '', changedBy }]
  })
}

/** `value` is compared, `text` is shown. */
type Part = { field: string; value: string; text: string }

function flatten(document: Draft): Map<string, Part> {
  const flat = new Map<string, Part>()
  const set = (key: string, field: string, value: string, text = value) => flat.set(key, { field, value, text })
  for (const [key, value] of Object.entries(document) as [string, unknown][]) {
    if (!isItems(value) || value.length === 0) {
      set(key, labelOf(key), textOf(inWords(key, value)))
      continue
    }
    const order = value.map((item, index) => `${index + 1}. ${item.heading || item.title || 'Untitled'}`)
    set(key, `Order of the ${key}`, value.map(({ id }) => id).join('\n'), order.join('\n'))
    for (const [index, { id, ...item }] of value.entries()) {
      const name = `${key === 'prompts' ? 'Prompt' : 'Section'} ${index + 1}`
      for (const [part, content] of Object.entries(item)) {
        set(`${key} ${id} ${part}`, `${name}: ${labelOf(part)}`, textOf(inWords(part, content)))
      }
    }
  }
  return flat
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join('\n')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  const texts = Object.entries(value).toSorted(([a], [b]) => a.localeCompare(b))
  return texts.map(([key, text]) => `${labelOf(key)}: ${text ?? ''}`).join('\n')
}
