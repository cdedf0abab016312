import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useFollowCursor } from './edited-block.ts'

type PreviewFrameProps = { title: string; children: ReactNode }

/**
 * Renders the preview in an iframe, so that responsive styles use the frame's width and headings and anchors don't mix
 * with the editor's. Links inside don't navigate. Follows the cursor of Markdown fields.
 */
export function PreviewFrame({ title, children }: PreviewFrameProps) {
  const [page, setPage] = useState<Document | null>(null)
  useEffect(() => {
    if (page) return mirrorStyles(page, document)
  }, [page])
  useFollowCursor(page)
  return (
    <>
      <iframe
        title={title}
        srcDoc="<!doctype html><html lang='en'><head></head><body></body></html>"
        onLoad={(event) => setPage(event.currentTarget.contentDocument)}
        className="size-full bg-background"
      />
      {page && createPortal(<div className="page py-8">{children}</div>, page.body)}
    </>
  )
}

/** Copies the styles and theme of `model` to the frame, now and whenever they change. */
function mirrorStyles(page: Document, model: Document) {
  const marked = page.createElement('style')
  marked.textContent = '[data-editing] { outline: 2px solid var(--accent); outline-offset: 4px; border-radius: 2px }'
  const copyStyles = () => {
    const styles = model.querySelectorAll('link[rel=stylesheet], style')
    page.head.replaceChildren(...[...styles].map((style) => style.cloneNode(true)), marked)
  }
  const copyTheme = () => {
    const { theme } = model.documentElement.dataset
    if (theme) page.documentElement.dataset.theme = theme
    else delete page.documentElement.dataset.theme
  }
  copyStyles()
  copyTheme()
  const themeObserver = new MutationObserver(copyTheme)
  themeObserver.observe(model.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  const styleObserver = new MutationObserver(copyStyles)
  styleObserver.observe(model.head, { childList: true })
  const handleClick = (event: Event) => {
    const link = (event.target as Element | null)?.closest?.('a')
    if (!link) return
    event.preventDefault()
    const { hash } = new URL(link.href)
    if (hash) page.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView({ behavior: 'smooth' })
  }
  page.addEventListener('click', handleClick)
  return () => {
    themeObserver.disconnect()
    styleObserver.disconnect()
    page.removeEventListener('click', handleClick)
  }
}
