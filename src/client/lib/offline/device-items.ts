import { type FullIssue, weeklyDropCall } from '#shared/contracts/issues.ts'
import { guidesCall, promptPacksCall, toolsCall } from '#shared/contracts/library.ts'
import { type ItemRef, itemPath } from '#shared/domain/content-items.ts'
import type { StoredAnswers } from './stored-answers.ts'

/** An item that this device can show. `texts` are plain or HTML. */
export type DeviceItem = ItemRef & { title: string; path: string; parentTitle: string | null; texts: string[] }

/** Everything readable in the stored answers: drops, the newest first, with their sections, then prompts, guides, tools. */
export function listDeviceItems(answers: StoredAnswers): DeviceItem[] {
  const { categories = [] } = answers.get(promptPacksCall, {}) ?? {}
  const { guides = [] } = answers.get(guidesCall, {}) ?? {}
  const { tools = [] } = answers.get(toolsCall, {}) ?? {}
  const alone = (ref: ItemRef, title: string, texts: string[]): DeviceItem => ({
    ...ref,
    title,
    path: itemPath(ref),
    parentTitle: null,
    texts,
  })
  return [
    ...answers.all(weeklyDropCall).flatMap(({ issue }) => itemsOfIssue(issue)),
    ...categories.flatMap(({ prompts }) =>
      prompts.map(({ id, title, when, body }) => alone({ kind: 'prompt', id }, title, [when, body])),
    ),
    ...guides.map(({ id, title, description, inside }) =>
      alone({ kind: 'guide', id }, title, [description, ...inside]),
    ),
    ...tools.map(({ id, name, verdict, description, useCase, goodFor, watchOut }) =>
      alone({ kind: 'tool', id }, name, [verdict, description, useCase, ...goodFor, ...watchOut]),
    ),
  ]
}

function itemsOfIssue({ id, slug, title, introHtml, worthHtml, sections }: FullIssue): DeviceItem[] {
  const issue: ItemRef = { kind: 'issue', id }
  return [
    { ...issue, title, path: itemPath(issue, slug), parentTitle: null, texts: [introHtml, worthHtml] },
    ...sections.map(({ id: sectionId, heading, summary, html }) => {
      const section: ItemRef = { kind: 'section', id: sectionId }
      return {
        ...section,
        title: heading,
        path: itemPath(section, slug),
        parentTitle: title,
        texts: [summary, html],
      }
    }),
  ]
}
