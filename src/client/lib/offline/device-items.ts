import { type FullIssue, weeklyDropCall } from '#shared/contracts/library/issues.ts'
import { guidesCall, promptPacksCall, toolsCall } from '#shared/contracts/library/library.ts'
import type { SearchResult } from '#shared/contracts/library/search.ts'
import { type ItemRef, itemPath } from '#shared/domain/content-items.ts'
import type { StoredAnswers } from './stored-answers.ts'

/** An item that this device can show. `texts` are plain or HTML; an empty list of focus areas means none. */
export type DeviceItem = ItemRef &
  Pick<SearchResult, 'path' | 'parentTitle' | 'day' | 'level'> & {
    title: string
    focusAreas: readonly string[]
    texts: string[]
  }

/** Everything readable in the stored answers: drops, the newest first, with their sections, then prompts, guides, tools. */
export function listDeviceItems(answers: StoredAnswers): DeviceItem[] {
  const { categories = [] } = answers.get(promptPacksCall, {}) ?? {}
  const { guides = [] } = answers.get(guidesCall, {}) ?? {}
  const { tools = [] } = answers.get(toolsCall, {}) ?? {}
  const alone = (ref: ItemRef) => ({ ...ref, path: itemPath(ref), day: null, level: null, focusAreas: [] })
  return [
    ...answers.all(weeklyDropCall).flatMap(({ issue }) => itemsOfIssue(issue)),
    ...categories.flatMap(({ title: parentTitle, prompts }) =>
      prompts.map(({ id, title, when, body, level, focusAreas }) => ({
        ...alone({ kind: 'prompt', id }),
        title,
        parentTitle,
        level,
        focusAreas,
        texts: [when, body],
      })),
    ),
    ...guides.map(({ id, title, type, description, inside }) => ({
      ...alone({ kind: 'guide', id }),
      title,
      parentTitle: type,
      texts: [description, ...inside],
    })),
    ...tools.map(({ id, name, category, verdict, description, useCase, goodFor, watchOut }) => ({
      ...alone({ kind: 'tool', id }),
      title: name,
      parentTitle: category,
      texts: [verdict, description, useCase, ...goodFor, ...watchOut],
    })),
  ]
}

function itemsOfIssue({ id, slug, title, date: day, tags, introHtml, worthHtml, sections }: FullIssue): DeviceItem[] {
  const issue: ItemRef = { kind: 'issue', id }
  const sectionItem = (sectionId: string): ItemRef => ({ kind: 'section', id: sectionId })
  return [
    {
      ...issue,
      title,
      path: itemPath(issue, slug),
      parentTitle: '',
      day,
      level: null,
      focusAreas: tags,
      texts: [introHtml, worthHtml],
    },
    ...sections.map(({ id: sectionId, heading, summary, html, aiLevel, focusAreas }) => ({
      ...sectionItem(sectionId),
      title: heading,
      path: itemPath(sectionItem(sectionId), slug),
      parentTitle: title,
      day,
      level: aiLevel,
      focusAreas,
      texts: [summary, html],
    })),
  ]
}
