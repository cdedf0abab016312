import { clsx } from 'clsx'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'

export type EditorView = 'write' | 'preview'

const views = { write: 'Write', preview: 'Preview' } as const

type EditorToolbarProps = { view: EditorView; onView: (view: EditorView) => void; children: ReactNode }

/** Sticky bar above the editor. On narrow screens it also switches between text and preview, and each keeps its place. */
export function EditorToolbar({ view, onView, children }: EditorToolbarProps) {
  const places = useRef<Partial<Record<EditorView, number>>>({})
  const handleView = (next: EditorView) => {
    places.current[view] = window.scrollY
    onView(next)
  }
  useLayoutEffect(() => {
    const place = places.current[view]
    if (place !== undefined) window.scrollTo({ top: place })
  }, [view])
  const bar = useRef<HTMLDivElement>(null)
  // Toolbars of fields stick below this one.
  useLayoutEffect(() => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(([entry]) => {
      style.setProperty('--editor-bar', `${entry?.borderBoxSize[0]?.blockSize ?? 0}px`)
    })
    if (bar.current) observer.observe(bar.current)
    return () => {
      observer.disconnect()
      style.removeProperty('--editor-bar')
    }
  }, [])
  return (
    <div
      ref={bar}
      className="sticky top-0 z-10 -mx-(--gutter) flex flex-wrap items-center justify-between gap-x-4 border-b border-line bg-background px-(--gutter) py-1"
    >
      <fieldset className="-ml-3 flex lg:hidden" aria-label="View">
        {(Object.keys(views) as EditorView[]).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={view === name}
            onClick={() => handleView(name)}
            className={clsx(
              'relative min-h-11 px-3 text-sm font-semibold after:absolute after:inset-x-3 after:bottom-0 after:h-0.75',
              view === name ? 'text-ink after:bg-accent' : 'text-muted hover:text-ink',
            )}
          >
            {views[name]}
          </button>
        ))}
      </fieldset>
      {children}
    </div>
  )
}

/** Saves with Ctrl+S or ⌘S instead of the browser's own dialog. */
export function useSaveShortcut(save: () => unknown) {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 's') return
      event.preventDefault()
      void save()
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [save])
}
