import { useEffect, useSyncExternalStore } from 'react'
import { markdownText } from '#shared/domain/markdown-text.ts'
import { blockAt } from './markdown-commands.ts'

/** The words of the block that is being edited; the preview scrolls to them. */
let words = ''
const listeners = new Set<() => void>()

export const followCursor = (text: string, at: number) => followWords(blockAt(text, at))

/** `markdown` is the block's. */
export function followWords(markdown: string) {
  const next = markdownText(markdown)
  if (next === words) return
  words = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const mark = 'data-editing'
/** Words of the block that must be equal in the preview. Longer ones may contain merge fields. */
const maxComparedLength = 60
const normalize = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Marks the edited block in the preview and scrolls to it, whenever the cursor moves and the preview changes. */
export function useFollowCursor(page: Document | null) {
  const edited = useSyncExternalStore(subscribe, () => words)
  // No dependencies: each new preview is marked again.
  useEffect(() => {
    const view = page?.defaultView
    if (!page || !view) return
    const block = findBlock(page, edited)
    for (const other of page.querySelectorAll(`[${mark}]`)) if (other !== block) other.removeAttribute(mark)
    if (!block || block.hasAttribute(mark)) return
    block.setAttribute(mark, '')
    const { top, bottom } = block.getBoundingClientRect()
    if (top >= 0 && bottom <= view.innerHeight) return
    // `scrollIntoView` would scroll the page around the frame too.
    view.scrollTo({ top: view.scrollY + top - view.innerHeight / 3 })
  })
}

/** The smallest element with these words. */
function findBlock(page: Document, edited: string): Element | null {
  const wanted = normalize(edited).slice(0, maxComparedLength)
  if (wanted === '') return null
  const blocks = page.querySelectorAll('.prose :is(p, li, h2, h3, h4, h5, h6, tr, pre)')
  const found = [...blocks].filter((block) => {
    const pictures = [...block.querySelectorAll('img')].map(({ alt }) => alt)
    const cells = block.matches('tr') ? [...block.children].map(({ textContent }) => textContent) : [block.textContent]
    return normalize([...pictures, ...cells].join(' ')).startsWith(wanted)
  })
  return found.at(-1) ?? null
}
