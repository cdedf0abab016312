import { isHistoryTransaction } from 'prosemirror-history'
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { maxSections } from '#shared/contracts/publishing/documents.ts'
import { keepSectionIds, type SectionBlocks } from '../keep-section-ids.ts'
import { newSectionSettings, newTextSettings, type SectionSettings } from '../new-section-settings.ts'
import { fromOutside } from './external-value.ts'
import { schema } from './schema.ts'
import { blockTexts, isBlank, partsOf, type SectionPart } from './section-document.ts'

/** A section that was removed or cut, which may come back by a paste. */
type Removed = { settings: SectionSettings; blocks: readonly string[] }
const maxRemoved = 20

const key = new PluginKey<readonly Removed[]>('sections')

/** Returns true in the text of a drop, where a heading of the second level begins a section. */
export const writesSections = (state: EditorState): boolean => key.getState(state) !== undefined

/** Gives every section its id and settings. `onTooMany` is called if headings stay ordinary ones. */
export const sectionsPlugin = (onTooMany: () => void): Plugin =>
  new Plugin<readonly Removed[]>({
    key,
    state: {
      init: () => [],
      apply: ({ docChanged }, removed, before, after) =>
        docChanged ? rememberRemoved(removed, before.doc, after.doc) : removed,
    },
    appendTransaction(transactions, before, state) {
      const isOwn = (transaction: Transaction) =>
        transaction.docChanged && !isHistoryTransaction(transaction) && !transaction.getMeta(fromOutside)
      if (!transactions.some(isOwn)) return null
      const { tr } = state
      if (limitSections(tr)) onTooMany()
      assignSettings(before.doc, tr, key.getState(state) ?? [])
      return tr.docChanged ? tr : null
    },
  })

function rememberRemoved(removed: readonly Removed[], before: Node, after: Node): readonly Removed[] {
  const [was, is] = [partsOf(before), new Set(partsOf(after).map(({ settings }) => settings?.id))]
  const gone = was.flatMap((part) =>
    part.settings && !is.has(part.settings.id) ? [{ settings: part.settings, blocks: blockTexts(part) }] : [],
  )
  return gone.length === 0 ? removed : [...removed, ...gone].slice(-maxRemoved)
}

/** Headings beyond the largest number of sections become smaller ones. Returns true if there are any. */
function limitSections(tr: Transaction): boolean {
  const beyond = partsOf(tr.doc)
    .slice(maxSections)
    .filter(({ settings }) => settings === null)
  for (const { pos } of beyond) tr.setNodeMarkup(pos ?? 0, schema.nodes.heading, { level: 3 })
  return beyond.length > 0
}

function assignSettings(before: Node, tr: Transaction, remembered: readonly Removed[]) {
  const [was, is] = [partsOf(before), partsOf(tr.doc)]
  const hasLostText = is[0]?.pos !== null && tr.doc.attrs.settings !== null
  if (!hasLostText && isComplete(was, is)) return
  const known = new Set(was.map(({ settings }) => settings?.id))
  const removed = remembered.filter(({ settings }) => !known.has(settings.id))
  const ids = keepSectionIds([...was.map(asBlocks), ...removed.map(removedBlocks)], is.map(asBlocks))
  if (hasLostText) tr.setDocAttribute('settings', null)
  let previous: SectionSettings | null = null
  for (const [index, part] of is.entries()) {
    if (part.pos === null && isBlank(part) && part.settings === null) continue
    const restored = removed.find(({ settings }) => settings.id === ids[index])?.settings
    const begun = {
      count: previous === null ? 0 : index,
      previous,
      next: is[index + 1]?.settings ?? null,
      hasText: !isBlank(part),
    }
    const begins = part.pos === null ? newTextSettings() : newSectionSettings(begun)
    const settings: SectionSettings = part.settings ?? restored ?? begins
    previous = { ...settings, id: ids[index] ?? crypto.randomUUID() }
    if (previous.id === part.settings?.id) continue
    if (part.pos === null) tr.setDocAttribute('settings', previous)
    else tr.setNodeAttribute(part.pos, 'settings', previous)
  }
}

/** Returns true if no section began or ended, which is so for almost every key. */
const isComplete = (was: readonly SectionPart[], is: readonly SectionPart[]) =>
  was.length === is.length &&
  is.every((part, index) =>
    part.settings === null ? part.pos === null && isBlank(part) : part.settings.id === was[index]?.settings?.id,
  )

const asBlocks = (part: SectionPart): SectionBlocks => ({ id: part.settings?.id ?? null, blocks: blockTexts(part) })
const removedBlocks = ({ settings, blocks }: Removed): SectionBlocks => ({ id: settings.id, blocks })
