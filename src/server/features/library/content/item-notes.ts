import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import { contentPages } from '#server/db/schema/index.ts'
import { itemChangeSchema, runStateSchema, stateRuleGroupSchema } from '#shared/contracts/library/item-notes.ts'
import type { ContentFiles, SourcedPage, Transcript } from './content-files.ts'
import { changeGroups } from './sample-pages.ts'

/** Row of `content_pages` with what content/ knows about items besides their texts. */
export const itemNotesId = 'item-notes'

const itemNotesSchema = z.object({
  /** `items` are slugs of drops, and ids of prompts and guides. */
  rules: z.array(stateRuleGroupSchema.extend({ items: z.array(z.string()) })),
  /** By id of a prompt or tool. */
  runs: z.record(z.string(), runStateSchema),
  /** By id of a tool, newest first. */
  changes: z.record(z.string(), z.array(itemChangeSchema)),
})
type ItemNotes = z.infer<typeof itemNotesSchema>

const rowsOf = ({ rows }: SourcedPage['groups'][number], day: string) =>
  rows.map(({ checkedOn = day, ...row }) => ({ ...row, checkedOn }))

export function itemNotesOf(content: ContentFiles): ItemNotes {
  const { states } = content.sourcedPages
  const tried = new Map(content.transcripts.map((transcript) => [transcript.id, triedOf(transcript)]))
  const prepared = new Set(content.runs.map(({ id }) => id))
  const prompts = content.categories.flatMap((category) => category.prompts)
  const runs = [
    ...prompts.map(({ id }) => ({ id, isPrepared: prepared.has(id) })),
    ...content.tools.map(({ id }) => ({ id, isPrepared: true })),
  ]
  return {
    rules: states.groups.map((group) => ({
      title: group.title,
      items: group.shownAt,
      rows: rowsOf(group, states.checkedOn),
    })),
    runs: Object.fromEntries(runs.map(({ id, isPrepared }) => [id, { isPrepared, tried: tried.get(id) ?? null }])),
    changes: Object.fromEntries(
      content.tools.map(({ id }) => [
        id,
        changeGroups(content)
          .filter(({ tools }) => tools.includes(id))
          .flatMap(({ items }) => items),
      ]),
    ),
  }
}

const triedOf = ({ on, assistant, tries }: Transcript) => ({
  ...{ on, assistant },
  passed: tries.filter(({ passed }) => passed).length,
  total: tries.length,
})

/** Notes on the items of content/; empty before it was loaded. */
export async function readItemNotes(db: Db) {
  const [row] = await db.select({ page: contentPages.page }).from(contentPages).where(eq(contentPages.id, itemNotesId))
  const { rules, runs, changes } = itemNotesSchema.catch({ rules: [], runs: {}, changes: {} }).parse(row?.page)
  return {
    rulesFor: (id: string) => rules.filter(({ items }) => items.includes(id)),
    runOf: (id: string) => runs[id],
    changesOf: (id: string) => changes[id] ?? [],
  }
}
