import { clsx } from 'clsx'
import type { EditorView } from 'prosemirror-view'
import { type CSSProperties, type RefObject, useEffect, useId, useImperativeHandle, useState } from 'react'
import { quotationLabels } from '#shared/domain/marked-quotations.ts'

export type SlashMenuHandle = {
  /** After the text or the cursor changed. */
  update(): void
  handleKey(event: KeyboardEvent): boolean
  /** Attributes of the text box while the menu is open. */
  attributes(): Record<string, string>
}

type SlashMenuProps = {
  ref: RefObject<SlashMenuHandle | null>
  view: EditorView
  onTool: (tool: string) => void
}

/** Height of the menu with all of its items, in pixels. */
const maxMenuHeight = 288
const gap = 6

/** Below the cursor or, if there is more room, above it; offsets are from the cursor's line. */
export function menuPlace(cursor: { top: number; bottom: number }, visible: { top: number; bottom: number }) {
  const below = visible.bottom - cursor.bottom - 2 * gap
  const above = cursor.top - visible.top - 2 * gap
  const isBelow = below >= maxMenuHeight || below >= above
  return { isBelow, maxHeight: Math.min(maxMenuHeight, Math.max(isBelow ? below : above, 0)) }
}

type Open = { query: string; style: CSSProperties }

/** Blocks to insert, listed after `/` in an otherwise empty paragraph. The focus stays in the text. */
export function SlashMenu({ ref, view, onTool }: SlashMenuProps) {
  const id = useId()
  const [open, setOpen] = useState<Open | null>(null)
  const [index, setIndex] = useState(0)
  /** Text typed when Escape closed the menu. */
  const [dismissed, setDismissed] = useState<string | null>(null)
  const items = open ? slashItems(open.query) : []
  const isOpen = open !== null && items.length > 0 && dismissed === null
  const current = items[Math.min(index, items.length - 1)]

  const choose = (tool: string) => {
    const { $from } = view.state.selection
    view.dispatch(view.state.tr.delete($from.start(), $from.end()))
    setOpen(null)
    onTool(tool)
  }
  const readQuery = () => (view.hasFocus() ? slashQuery(view) : null)
  const read = (): Open | null => {
    const query = readQuery()
    if (query === null) return null
    const cursor = view.coordsAtPos(view.state.selection.from)
    const frame = (view.dom.parentElement ?? view.dom).getBoundingClientRect()
    // The keyboard of a phone and the bars above the text cover the rest.
    const { offsetTop = 0, height = innerHeight } = visualViewport ?? {}
    const bar = view.dom.closest('.writing')?.querySelector('.writing-bar')?.getBoundingClientRect()
    const { isBelow, maxHeight } = menuPlace(cursor, {
      top: Math.max(offsetTop, bar?.bottom ?? 0),
      bottom: offsetTop + height,
    })
    const side = isBelow ? { top: cursor.bottom - frame.top + gap } : { bottom: frame.bottom - cursor.top + gap }
    return { query, style: { left: 8, maxHeight, ...side } }
  }

  useImperativeHandle(ref, () => ({
    update() {
      const next = read()
      if (next === null && open === null) return
      if (next?.query !== open?.query) setIndex(0)
      if (next === null) setDismissed(null)
      setOpen(next)
    },
    handleKey(event) {
      // Read anew: a fast typist is ahead of what is shown.
      const query = dismissed === null ? readQuery() : null
      const offered = query === null ? [] : slashItems(query)
      const at = query === open?.query ? Math.min(index, offered.length - 1) : 0
      const chosen = offered[at]
      if (query === null || !chosen) return false
      const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
      const step = steps[event.key]
      if (step) setIndex((at + step + offered.length) % offered.length)
      else if (event.key === 'Enter' || event.key === 'Tab') choose(chosen.id)
      else if (event.key === 'Escape') setDismissed(query)
      else return false
      return true
    },
    attributes: (): Record<string, string> =>
      isOpen && current ? { 'aria-controls': id, 'aria-activedescendant': `${id}-${current.id}` } : {},
  }))

  const currentId = isOpen ? current?.id : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: empty props read the attributes again
  useEffect(() => {
    view.setProps({})
  }, [view, currentId])

  if (!isOpen) return null
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Insert"
      style={open.style}
      className="absolute z-20 w-64 max-w-[calc(100%-1rem)] overflow-y-auto rounded-md border border-line bg-surface p-1 shadow-float"
    >
      {items.map((item) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text box, which has the focus, handles the keys
        <div
          key={item.id}
          id={`${id}-${item.id}`}
          role="option"
          tabIndex={-1}
          aria-selected={item === current}
          ref={item === current ? keepInView : undefined}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(item.id)}
          className={clsx(
            'flex min-h-11 items-center rounded-sm px-3 text-sm',
            item === current && 'bg-sunken font-semibold',
          )}
        >
          {item.label}
        </div>
      ))}
    </div>
  )
}

const keepInView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' })

/** Reads the text after `/` in a paragraph that has nothing else; null elsewhere. */
function slashQuery({ state }: EditorView): string | null {
  const { $from, empty } = state.selection
  const { parent, parentOffset } = $from
  if (!empty || parent.type.name !== 'paragraph' || parentOffset !== parent.content.size) return null
  return /^\/([\p{L} ]{0,20})$/u.exec(parent.textContent)?.[1] ?? null
}

type SlashItem = { id: string; label: string; words: string }

const items: readonly SlashItem[] = [
  { id: 'heading', label: 'Heading', words: 'title' },
  { id: 'subheading', label: 'Smaller heading', words: 'subheading' },
  { id: 'bullets', label: 'Bulleted list', words: 'bullets unordered' },
  { id: 'numbers', label: 'Numbered list', words: 'ordered steps' },
  { id: 'image', label: 'Image', words: 'picture photo' },
  ...Object.entries(quotationLabels).map(([id, label]) => ({
    ...{ id, label },
    words: { toggle: 'fold details', gallery: 'pictures photos', bookmark: 'link card page' }[id] ?? 'callout box',
  })),
  { id: 'quote', label: 'Quotation', words: 'quote blockquote' },
  { id: 'button', label: 'Button', words: 'link action' },
  { id: 'table', label: 'Table', words: 'grid' },
  { id: 'video', label: 'Video', words: 'movie' },
  { id: 'file', label: 'File', words: 'attachment download pdf' },
  { id: 'audio', label: 'Audio', words: 'sound recording mp3' },
  { id: 'divider', label: 'Divider', words: 'line rule' },
  { id: 'code', label: 'Code', words: 'preformatted' },
  { id: 'first-name', label: 'Reader’s first name', words: 'merge field variable' },
]

/** Items that match the typed words, by the start of a word. */
function slashItems(query: string): readonly SlashItem[] {
  const typed = query.trim().toLowerCase()
  return items.filter(({ label, words }) => ` ${label} ${words}`.toLowerCase().includes(` ${typed}`))
}
