import { weeklyDropCall } from '#shared/contracts/library/issues.ts'
import { guidesCall, promptPacksCall, toolsCall } from '#shared/contracts/library/library.ts'
import type { SavedItem } from '#shared/contracts/reader/saved.ts'
import { type ItemRef, itemPath } from '#shared/domain/content-items.ts'
import type { StoredAnswers } from './stored-answers.ts'

/** An item that this device can show. */
type DeviceItem = ItemRef & Pick<SavedItem, 'title' | 'path'> & { parentTitle: string }

/** Everything readable in the stored answers: drops, the newest first, with their sections, then prompts, guides, tools. */
export function listDeviceItems(answers: StoredAnswers): DeviceItem[] {
  const { categories = [] } = answers.get(promptPacksCall, {}) ?? {}
  const { guides = [] } = answers.get(guidesCall, {}) ?? {}
  const { tools = [] } = answers.get(toolsCall, {}) ?? {}
  const item = (ref: ItemRef, title: string, parentTitle: string, slug?: string) => ({
    ...ref,
    title,
    parentTitle,
    path: itemPath(ref, slug),
  })
  return [
    ...answers
      .all(weeklyDropCall)
      .flatMap(({ issue: { id, slug, title, sections } }) => [
        item({ kind: 'issue', id }, title, '', slug),
        ...sections.map((section) => item({ kind: 'section', id: section.id }, section.heading, title, slug)),
      ]),
    ...categories.flatMap(({ title: category, prompts }) =>
      prompts.map(({ id, title }) => item({ kind: 'prompt', id }, title, category)),
    ),
    ...guides.map(({ id, title, type }) => item({ kind: 'guide', id }, title, type)),
    ...tools.map(({ id, name, category }) => item({ kind: 'tool', id }, name, category)),
  ]
}
